import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { IndexProgress } from "../src/output/index-progress.js";
import { placesOf } from "../src/places.js";
import { temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();

afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(process.stderr, "isTTY");
});

/** What a run of ten files shows on a terminal, without the codes that rewrite the line. */
function tenFiles(): { readonly progress: IndexProgress; readonly shown: string[] } {
  const folder = newFolder(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${i}.md`, "kelp"])));
  const shown: string[] = [];
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => shown.push(String(text)) > 0);
  return { progress: new IndexProgress(placesOf([folder], {}, folder), () => {}), shown };
}

test("a long run shows how far it is, its rate, and the time left once the files are counted", async () => {
  const { progress, shown } = tenFiles();
  for (const id of ["0.md", "1.md", "2.md"])
    progress.onEvent({ type: "document", documentId: id, outcome: "replaced" });
  progress.onEvent({ type: "write", chunks: 1200, embedded: 1200 });
  progress.onEvent({ type: "skip", path: "x.lock", reason: "lock-file" });
  await sleep(1600);
  progress.end();
  progress.end();
  expect(shown[0]).toMatch(/^\r\u001b\[Kindexing: 4 files, 1,200 chunks, (?:1 file|[2-4] files)\/s$/);
  expect(shown.at(-2)).toMatch(
    /^\r\u001b\[Kindexing: 4 of 10 files, 1,200 chunks, (?:1 file|[2-4] files)\/s, about \d s left$/,
  );
  expect(shown.at(-1)).toBe("\r\u001b[K");
  expect(progress.written).toBe(3);
});

test("one file is a file", async () => {
  const { progress, shown } = tenFiles();
  progress.onEvent({ type: "document", documentId: "0.md", outcome: "unchanged" });
  await sleep(1600);
  progress.end();
  expect(shown[0]).toBe("\r\u001b[Kindexing: 1 file, 0 chunks, 1 file/s");
  expect(shown.at(-2)).toMatch(/^\r\u001b\[Kindexing: 1 of 10 files, 0 chunks, 1 file\/s, about \d+ s left$/);
});

test("failures are shown as they come, the first twenty of them", () => {
  const { progress, shown } = tenFiles();
  for (let i = 0; i < 25; i++) {
    progress.onEvent({ type: "failure", documentId: `${i}.md`, error: new Error("no way") });
  }
  progress.end();
  expect(shown).toHaveLength(21);
  expect(shown[0]).toBe("docsearch: 0.md: no way\n");
  expect(shown[20]).toBe("docsearch: 5 more failures; --json lists them all\n");
});
