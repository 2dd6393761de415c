import type { Docsearch } from "@docsearch/core";
import type { CallOptions, DocumentRecord, Filter } from "@docsearch/spec";

const PAGE = 1000;

/** All documents that meet a filter, in the order of their ids, page by page. */
export async function* documentsOf(
  docsearch: Docsearch,
  filter: Filter | undefined,
  call: CallOptions,
): AsyncGenerator<DocumentRecord> {
  let after: string | undefined;
  do {
    const page = await docsearch.listDocuments({
      limit: PAGE,
      ...(filter !== undefined && { filter }),
      ...(after !== undefined && { after }),
      ...call,
    });
    yield* page;
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
}
