import type * as Arrow from "apache-arrow";
import type { Lance } from "./lance.js";

/** Columns of `document` and `vector` that a filter looks at. They are those of the document in both. */
export const FILTER_FIELDS = ["document_id", "collection", "path", "media_type", "metadata"] as const;

interface FieldMakers {
  readonly text: (name: string) => Arrow.Field;
  readonly integer: (name: string) => Arrow.Field;
  readonly list: (name: string, length: number, type: Arrow.DataType) => Arrow.Field;
}

/** Makes columns of a table. */
export function fieldsOf({ arrow }: Lance): FieldMakers {
  return {
    text: (name) => new arrow.Field(name, new arrow.Utf8(), true),
    integer: (name) => new arrow.Field(name, new arrow.Int32(), true),
    list: (name, length, type) =>
      new arrow.Field(name, new arrow.FixedSizeList(length, new arrow.Field("item", type, true)), true),
  };
}
