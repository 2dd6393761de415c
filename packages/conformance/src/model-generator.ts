import type { Bm25fParameters, Filter, LexicalQuery } from "@docsearch/spec";
import { RANKING } from "./builders.js";
import {
  COLLECTIONS,
  DOCUMENTS,
  type ExpectedChunks,
  MEDIA_TYPES,
  METADATA_KEYS,
  METADATA_VALUES,
  PATHS,
  randomChange,
  randomVector,
  TERMS,
} from "./model-documents.js";
import type { ModelStep } from "./model-step.js";
import type { Random } from "./random.js";

const RANKINGS: readonly Bm25fParameters[] = [
  RANKING,
  {
    k1: 0.9,
    fields: {
      title: { weight: 2, b: 0.5 },
      ancestors: { weight: 0.5, b: 0.25 },
      heading: { weight: 1, b: 1 },
      path: { weight: 4, b: 0.75 },
      body: { weight: 1, b: 0.4 },
      code: { weight: 0.5, b: 0.9 },
    },
  },
];

/** A sequence of steps, the last of which reads everything. */
export function randomSteps(random: Random, count: number, canReopen: boolean): ModelStep[] {
  const expected: ExpectedChunks = new Map();
  const steps = Array.from({ length: count }, () => randomStep(random, expected, canReopen));
  return [...steps, { call: "readAll" }];
}

function randomStep(random: Random, expected: ExpectedChunks, canReopen: boolean): ModelStep {
  const kind = random.next();
  if (kind < 0.36) return { call: "write", changes: random.list(3, () => randomChange(random, expected)) };
  if (kind < 0.6) {
    const [query, ranking] = [randomQuery(random, 2), random.pick(RANKINGS)];
    return { call: "searchText", query, ranking, limit: randomLimit(random), ...randomFilterOrNone(random) };
  }
  if (kind < 0.74) {
    const vector = randomVector(random);
    return { call: "searchVector", vector, limit: randomLimit(random), ...randomFilterOrNone(random) };
  }
  if (kind < 0.84) {
    const after = random.chance(0.5) ? { after: random.pick(DOCUMENTS) } : {};
    return { call: "listDocuments", ...after, limit: randomLimit(random), ...randomFilterOrNone(random) };
  }
  if (kind < 0.88) {
    const prefix = random.pick(["", "r", "R", "re", "_", "\u{1f600}"]);
    return { call: "listTerms", prefix, limit: randomLimit(random) };
  }
  if (kind < 0.95) return { call: "readAll" };
  if (kind < 0.97) {
    expected.clear();
    return { call: "clear" };
  }
  return { call: canReopen ? "reopen" : "readAll" };
}

/** Inner nodes always have clauses: what an empty one inside a tree means is not laid down. */
function randomQuery(random: Random, depth: number): LexicalQuery {
  if (depth === 0 || random.chance(0.4)) {
    return { op: "term", term: random.pick([...TERMS, "absent"]), weight: random.pick([1, 0.2, 0.5, 3]) };
  }
  const op = random.pick(["and", "or", "or"] as const);
  return { op, clauses: random.list(3, () => randomQuery(random, depth - 1)) };
}

function randomFilterOrNone(random: Random): { readonly filter?: Filter } {
  return random.chance(0.5) ? { filter: randomFilter(random, 2) } : {};
}

function randomFilter(random: Random, depth: number): Filter {
  if (depth > 0 && random.chance(0.4)) {
    const op = random.pick(["and", "or", "not"] as const);
    if (op === "not") return { op, clause: randomFilter(random, depth - 1) };
    return { op, clauses: random.chance(0.1) ? [] : random.list(3, () => randomFilter(random, depth - 1)) };
  }
  const key = `metadata.${random.pick([...METADATA_KEYS, "none"])}`;
  const [field, values] = random.pick([
    ["id", DOCUMENTS],
    ["collection", COLLECTIONS],
    ["mediaType", MEDIA_TYPES],
    ["path", PATHS],
    [key, METADATA_VALUES],
    [key, METADATA_VALUES],
  ] as const);
  const op = random.pick(["in", "in", "prefix", "contains", "range"] as const);
  switch (op) {
    case "in":
      return { op, field, values: random.list(3, () => random.pick<string | number | boolean>(values)) };
    case "prefix":
    case "contains":
      return { op, field, value: random.pick(["", "x", "x/", "x_", "%", "1", "a", ".md", "d", "\u{1f600}"]) };
    case "range": {
      const bound = (): number => random.pick([-2, 0, 0.1, 0.5, 1, 3]);
      const bounds = { ...(random.chance(0.7) && { min: bound() }), ...(random.chance(0.7) && { max: bound() }) };
      return { op, field: random.chance(0.8) ? key : field, ...bounds };
    }
  }
}

function randomLimit(random: Random): number {
  return random.pick([0, 1, 2, 3, 5, 100]);
}
