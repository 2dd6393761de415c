import { ChunkBlockWriter, slotsInUse } from "./chunk-blocks.js";
import type { Connection } from "./driver.js";
import type { LexicalIndex } from "./lexical/lexical-index.js";
import { newNumbering, type State } from "./meta.js";
import { BLOCK_SLOTS, blockOf } from "./slots.js";
import type { VectorIndex } from "./vector-index.js";

/** Slots that may be out of use before chunks are moved together, besides as many as there are chunks. */
const SPARE_SLOTS = 4096;

/** The lowest slot that was never used. */
export function nextSlot(connection: Connection): number {
  const row = connection.prepare<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'chunk'").get();
  return (row?.seq ?? 0) + 1;
}

/**
 * Gives every chunk a new slot when more than half of the slots are out of use, since queries pay for those too. A
 * chunk is moved once for each one that was replaced or deleted, at most. Returns the state after it; the caller
 * stores it. Everything else of the write must have been stored.
 */
export function renumberIfSparse(
  connection: Connection,
  lexical: LexicalIndex,
  vectors: readonly VectorIndex[],
  state: State,
): State {
  const next = nextSlot(connection);
  const low = connection.prepare<{ low: number | null }>("SELECT min(block) AS low FROM chunk_block").get()!.low;
  if (low === null || next - low * BLOCK_SLOTS <= 2 * state.chunks + SPARE_SLOTS) return state;
  const map = slotsInUse(connection);
  let target = (blockOf(next) + 1) * BLOCK_SLOTS;
  const move = connection.prepare("UPDATE chunk SET slot = ? WHERE slot = ?");
  for (let i = 0; i < map.targets.length; i++) {
    if (map.targets[i] === 0) continue;
    move.run(target, map.first + i);
    map.targets[i] = target++;
  }
  connection.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'chunk'").run(target - 1);
  const blocks = new ChunkBlockWriter(connection);
  blocks.renumber(map);
  blocks.finish(state.generation);
  lexical.renumber(map);
  for (const index of vectors) index.renumber(map, state.generation);
  return { ...state, numbering: newNumbering() };
}
