import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { docsearch, found, json, temporaryFolders, writeFiles } from "./support.js";

const newFolder = temporaryFolders();
const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) execFileSync("umount", [folder]);
});

/** A folder on a disk of so many kB; undefined where this process may not mount one. */
function smallDisk(kilobytes: number): string | undefined {
  const folder = join(newFolder(), "disk");
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  mounted.push(folder);
  return folder;
}

const disk = smallDisk(1500);

test.skipIf(disk === undefined)(
  "a disk that is full: one line says so, the index stays as it was, and with space the next run goes on (skipped where nothing can be mounted)",
  async () => {
    const folder = newFolder({ "docs/a.md": "# Kelp\n\nkelp alpha\n" });
    const store = ["--store-url", join(disk as string, "index.db"), "--embedder", "none"];
    await docsearch(folder, ["index", "docs", ...store]);
    const text = Array.from({ length: 20_000 }, (_, i) => `word${(i * 7919) % 100_003}`).join(" ");
    writeFiles(folder, Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`docs/large-${i}.md`, text])));
    const full = await docsearch(folder, ["index", "docs", ...store]);
    expect({ code: full.code, stdout: full.stdout }).toEqual({ code: 2, stdout: "" });
    expect(full.stderr).toMatch(
      /^docsearch: write failed on .*index\.db: the disk is full\. Free space and try again \(.*\)\.\n$/,
    );
    expect(await found(folder, "kelp", store)).toEqual(["docs/a.md"]);
    expect((await json(folder, ["doctor", ...store])).sound).toBe(true);
    const status = await docsearch(folder, ["status", ...store]);
    expect(status.stderr).toContain("was stopped before its end, so files may be missing; go on: docsearch index");
    execFileSync("mount", ["-o", "remount,size=60m", disk as string]);
    expect(await json(folder, ["index", "docs", ...store])).toMatchObject({ scanned: 11, failures: [] });
    expect((await docsearch(folder, ["status", ...store])).stderr).toBe("");
  },
  120_000,
);

test.skipIf(disk === undefined)(
  "no space for so much as the beginning: one line, no index (skipped where nothing can be mounted)",
  async () => {
    const tiny = smallDisk(4) as string;
    const folder = newFolder({ "docs/a.md": "kelp" });
    const { code, stderr } = await docsearch(folder, ["index", "docs", "--store-url", join(tiny, "index.db")]);
    expect(code).toBe(2);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr).toMatch(/disk is full|no space left/);
    expect(readFileSync(join(folder, "docs/a.md"), "utf8")).toBe("kelp");
  },
);
