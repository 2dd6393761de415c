import { expect, test } from "vitest";
import { storeConformance, storeModelTest } from "../src/index.js";
import { redTests } from "./doubles/collect.js";
import { LESSER_STORES } from "./doubles/lesser-store.js";
import { openMemory, pause, type Saboteur } from "./saboteurs/saboteur.js";
import { SABOTEURS } from "./saboteurs.js";

const withoutParents: Saboteur = SABOTEURS.find(({ name }) => name === "an outline has no parents")!;
const RED = [
  "write: a document, its outline and its chunks come back field for field",
  "write: a document without chunks is there",
  "write: the same change twice equals once",
  "delete: removes everything of the document and nothing else",
  "read: an outline comes back in order, with levels and parents",
];

function namesOf(options: Partial<Parameters<typeof storeConformance>[0]> = {}): string[] {
  const names: string[] = [];
  storeConformance({ test: (name) => names.push(name), open: openMemory, ...options });
  return names;
}

test("the names of cases are unique", () => {
  const names = namesOf();
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(110);
});

test("defining the cases opens nothing", () => {
  const open = (): never => {
    throw new Error("opened");
  };
  expect(namesOf({ open }).length).toBeGreaterThan(0);
});

test.each(Object.entries(LESSER_STORES))("every case is green for %s", async (_, open) => {
  expect(await redTests((collect) => storeConformance({ test: collect, open }))).toEqual([]);
});

test.each(Object.entries(LESSER_STORES))("random sequences find no difference in %s", async (_, open) => {
  const red = await redTests((collect) => storeModelTest({ test: collect, open, oracle: openMemory, sequences: 20 }));
  expect(red).toEqual([]);
});

test("a known failure makes its case green, and no other", async () => {
  const knownFailures = Object.fromEntries(RED.slice(1).map((name) => [name, "the table has no such column"]));
  const red = await redTests((collect) =>
    storeConformance({ test: collect, open: withoutParents.open, knownFailures }),
  );
  expect(red).toEqual([RED[0]]);
});

test("a known failure that passes is red, and says its reason", async () => {
  const knownFailures = { "batch: no changes": "it hangs" };
  const bodies = new Map<string, () => Promise<void>>();
  storeConformance({ test: (name, body) => bodies.set(name, body), open: openMemory, knownFailures });
  await expect(bodies.get("batch: no changes")!()).rejects.toThrow(/passes now.*it hangs/);
});

test("a known failure of an unknown case is refused at once", () => {
  expect(() => namesOf({ knownFailures: { "batch: no change": "misspelt" } })).toThrow(
    "knownFailures names a case that does not exist: batch: no change",
  );
});

test("settle is awaited between writes and searches", async () => {
  const late = SABOTEURS.find(({ name }) => name === "vectors arrive late")!;
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 4; n++) await pause();
  };
  expect(await redTests((collect) => storeConformance({ test: collect, open: late.open, settle }))).toEqual([]);
});
