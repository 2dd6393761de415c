import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Listening, listen } from "../src/watch/listen.js";
import { temporaryFolder } from "./tree.js";

test("a folder is not listened to before the system was asked to report what is in it", async () => {
  const root = temporaryFolder();
  const folder = join(root, "new");
  const hints: string[] = [];
  let listening: Listening | undefined;
  let wasComplete: boolean | undefined;
  const onHint = (path: string): void => {
    hints.push(path);
    // Its parent tells of it first, then it is announced as a folder.
    if (hints.filter((hint) => hint === folder).length === 2) wasComplete ??= listening?.isComplete();
  };
  const survey = { fingerprint: "", skippedFolders: new Set<string>(), folderNames: new Set<string>() };
  listening = await listen([root], survey, { onHint, onLost: () => {} });
  mkdirSync(folder);
  while (wasComplete === undefined) await sleep(5);
  expect(wasComplete).toBe(false);
  // Until something that is written in there is told.
  for (let file = 0; !hints.includes(join(folder, `${file - 1}.md`)); file++) {
    writeFileSync(join(folder, `${file}.md`), "kelp");
    await sleep(20);
  }
  await listening.close();
});
