// Reads columns of what a query found. The reader of Arrow drops a byte order mark at the beginning of a text; these do
// not, and copy what they return.

import type * as Arrow from "apache-arrow";

export function textsOf(found: Arrow.Table, name: string): string[] {
  return variableOf(found, name, (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
  );
}

export function bytesOf(found: Arrow.Table, name: string): Uint8Array[] {
  return variableOf(found, name, (bytes) => bytes.slice());
}

/** Numbers of a column of integers or floats. */
export function numbersOf(found: Arrow.Table, name: string): number[] {
  const numbers: number[] = [];
  for (const data of partsOf(found, name)) for (let row = 0; row < data.length; row++) numbers.push(data.values[row]);
  return numbers;
}

/** What LanceDB knows a row by, in one version of a table. */
export function rowIdsOf(found: Arrow.Table): bigint[] {
  const ids: bigint[] = [];
  for (const data of partsOf(found, "_rowid")) {
    for (let row = 0; row < data.length; row++) ids.push(BigInt(data.values[row]));
  }
  return ids;
}

/** The numbers of a column of lists of equal length, one list after the other. */
export function numberRowsOf(found: Arrow.Table, name: string): Float64Array {
  const parts = partsOf(found, name).map((data) => {
    const width = data.type.listSize;
    const first = data.offset * width;
    return Float64Array.from(data.children[0].values.subarray(first, first + data.length * width));
  });
  const all = new Float64Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function vectorsOf(found: Arrow.Table, name: string): (Float32Array | undefined)[] {
  const vectors: (Float32Array | undefined)[] = [];
  for (const data of partsOf(found, name)) {
    const width = data.type.listSize;
    for (let row = 0; row < data.length; row++) {
      const first = (data.offset + row) * width;
      vectors.push(data.getValid(row) ? data.children[0].values.slice(first, first + width) : undefined);
    }
  }
  return vectors;
}

function variableOf<T>(found: Arrow.Table, name: string, read: (bytes: Uint8Array) => T): T[] {
  const values: T[] = [];
  for (const { length, valueOffsets, values: bytes } of partsOf(found, name)) {
    for (let row = 0; row < length; row++) {
      values.push(read(bytes.subarray(Number(valueOffsets[row]), Number(valueOffsets[row + 1]))));
    }
  }
  return values;
}

/** @throws Error when there is no such column */
// biome-ignore lint/suspicious/noExplicitAny: the parts of a column have as many types as there are columns.
function partsOf(found: Arrow.Table, name: string): readonly any[] {
  // Without a row LanceDB names no columns either.
  if (found.numRows === 0) return [];
  const column = found.getChild(name);
  if (column === null) throw new Error(`the column ${name} is missing: the index is damaged`);
  return column.data;
}
