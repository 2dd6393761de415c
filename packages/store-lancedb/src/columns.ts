// Columns as Arrow keeps them. Its own builders take a value at a time, ten times as long.

import type * as Arrow from "apache-arrow";
import type { Lance } from "./lance.js";

export type Column = Arrow.Vector;

export function textColumn({ arrow }: Lance, values: readonly (string | null)[]): Column {
  const bytes = values.map((value) => (value === null ? null : Buffer.from(value)));
  return arrow.makeVector(arrow.makeData({ type: new arrow.Utf8(), ...variable(bytes) }));
}

export function bytesColumn({ arrow }: Lance, values: readonly Uint8Array[]): Column {
  return arrow.makeVector(arrow.makeData({ type: new arrow.Binary(), ...variable(values) }));
}

export function integerColumn({ arrow }: Lance, values: readonly number[]): Column {
  return arrow.makeVector(Int32Array.from(values));
}

/** Rows of numbers, each of the same length. */
export function numberRowsColumn({ arrow }: Lance, width: number, rows: readonly (readonly number[])[]): Column {
  const child = arrow.makeData({ type: new arrow.Float64(), data: Float64Array.from(rows.flat()) });
  const type = new arrow.FixedSizeList(width, new arrow.Field("item", child.type, true));
  return arrow.makeVector(arrow.makeData({ type, length: rows.length, nullCount: 0, child }));
}

export function vectorColumn(
  { arrow }: Lance,
  dimensions: number,
  vectors: readonly (Float32Array | undefined)[],
): Column {
  const data = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, row) => {
    if (vector !== undefined) data.set(vector, row * dimensions);
  });
  const child = arrow.makeData({ type: new arrow.Float32(), data });
  const type = new arrow.FixedSizeList(dimensions, new arrow.Field("item", child.type, true));
  return arrow.makeVector(arrow.makeData({ type, length: vectors.length, ...validity(vectors), child }));
}

interface Variable {
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array;
  readonly valueOffsets: Int32Array;
  readonly data: Uint8Array;
}

function variable(values: readonly (Uint8Array | null)[]): Variable {
  const valueOffsets = new Int32Array(values.length + 1);
  let size = 0;
  values.forEach((value, row) => {
    size += value?.length ?? 0;
    valueOffsets[row + 1] = size;
  });
  const data = new Uint8Array(size);
  values.forEach((value, row) => {
    if (value !== null) data.set(value, valueOffsets[row]!);
  });
  return { length: values.length, ...validity(values), valueOffsets, data };
}

function validity(values: readonly unknown[]): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  let nullCount = 0;
  values.forEach((value, row) => {
    if (value === null || value === undefined) nullCount++;
    else nullBitmap[row >> 3]! |= 1 << (row & 7);
  });
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap };
}
