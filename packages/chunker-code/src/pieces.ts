import { type Range, trimRange } from "@docsearch/text-split";
import type { Definition } from "./definition.js";

/** A part of the file that lies in one definition, or holds one whole. */
export interface Piece extends Range {
  /** Index of the innermost definition around the whole piece, -1 at the top of the file. */
  readonly scope: number;
  /** Index of the definition that is cut, when the piece is the beginning of it. */
  readonly opens?: number;
  /** What is left of a definition behind its last part. */
  readonly isTail?: boolean;
}

export interface Sizes {
  /** Whether a chunk can hold the range. */
  fits(start: number, end: number): boolean;
  /** Whether the range is too little to stand alone. */
  isSmall(range: Range): boolean;
  /** Whether the range says nothing by itself: `<?php`. */
  isTiny(range: Range): boolean;
}

interface Level {
  readonly scope: number;
  readonly children: readonly number[];
  readonly end: number;
  next: number;
  /** End of what has been put into pieces. */
  at: number;
}

/**
 * Cuts `range` at the borders of definitions. A definition that fits a chunk stays whole; of one that does not and has
 * others in it, those become pieces, with what is before, between and behind them. What is too large after that is
 * for the caller to cut.
 */
export function cutAtDefinitions(definitions: readonly Definition[], range: Range, sizes: Sizes): Piece[] {
  const childrenOf = groupByParent(definitions);
  const pieces: Piece[] = [];
  const levels: Level[] = [{ scope: -1, children: childrenOf.get(-1) ?? [], end: range.end, next: 0, at: range.start }];
  let opens: number | undefined;
  const add = (piece: Piece): void => {
    if (piece.start < piece.end) pieces.push(opens === undefined ? piece : { ...piece, opens });
    opens = undefined;
  };

  while (levels.length > 0) {
    const level = levels.at(-1)!;
    const child = level.children[level.next++];
    if (child === undefined) {
      levels.pop();
      const isTail = level.scope >= 0 && level.children.length > 0;
      add({ start: level.at, end: level.end, scope: level.scope, ...(isTail && { isTail }) });
      continue;
    }
    const { start, end } = definitions[child]!;
    if (end <= level.at) continue;
    const from = Math.max(start, level.at);
    const grandchildren = childrenOf.get(child) ?? [];
    if (from > level.at || opens !== undefined) add({ start: level.at, end: from, scope: level.scope });
    level.at = end;
    if (grandchildren.length === 0 || sizes.fits(from, end)) add({ start: from, end, scope: level.scope });
    else {
      opens = child;
      levels.push({ scope: child, children: grandchildren, end, next: 0, at: from });
    }
  }
  return pieces;
}

function groupByParent(definitions: readonly Definition[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [index, { parent }] of definitions.entries()) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [index]);
    else siblings.push(index);
  }
  return children;
}

/** Joins small pieces to their neighbours, as far as both fit a chunk and one lies in what the other lies in. */
export function joinSmallPieces(
  text: string,
  definitions: readonly Definition[],
  pieces: readonly Piece[],
  sizes: Sizes,
): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    if (trimRange(text, piece) === undefined) continue;
    const before = joined.at(-1);
    if (before !== undefined && belongTogether(definitions, before, piece, sizes))
      joined[joined.length - 1] = join(definitions, before, piece);
    else joined.push(piece);
  }
  return joined;
}

function belongTogether(definitions: readonly Definition[], before: Piece, piece: Piece, sizes: Sizes): boolean {
  if (!sizes.fits(before.start, piece.end)) return false;
  if (piece.isTail) return true;
  // The beginning of a class goes with its first methods, not with what stands above the class.
  if (piece.opens !== undefined) return before.opens === undefined && sizes.isTiny(before);
  const around = commonScope(definitions, before.scope, piece.scope);
  if (around !== before.scope && around !== piece.scope) return false;
  return sizes.isSmall(before) || sizes.isSmall(piece);
}

function join(definitions: readonly Definition[], before: Piece, piece: Piece): Piece {
  const around = commonScope(definitions, before.scope, piece.scope);
  // The end of what the piece before lies in does not take it out of there.
  const scope = piece.isTail && around === piece.scope ? before.scope : around;
  const opens = before.opens ?? piece.opens;
  return { start: before.start, end: piece.end, scope, ...(opens !== undefined && { opens }) };
}

/** The innermost definition around both. */
function commonScope(definitions: readonly Definition[], a: number, b: number): number {
  // A definition stands behind those that it lies in.
  while (a !== b) {
    if (a > b) a = definitions[a]!.parent;
    else b = definitions[b]!.parent;
  }
  return a;
}
