import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DocsearchError } from "@docsearch/spec";

/**
 * Marks a folder as in use by this process; two at once would damage it. The mark stands beside the folder, because
 * Postgres wants an empty one to begin with. A mark that a process left behind which is gone counts for nothing.
 *
 * @returns takes the mark away
 * @throws `INDEX_LOCKED`
 */
export function lockFolder(folder: string): () => void {
  const path = `${folder}.lock`;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = readHolder(path);
      if (holder !== undefined && isRunning(holder)) {
        throw new DocsearchError(
          "INDEX_LOCKED",
          `The index in ${folder} is open in process ${holder}, and PGlite serves one at a time. Close it there, or use a Postgres server: DOCS_STORE_URL=postgres://...`,
          { holder: `process ${holder}` },
        );
      }
      rmSync(path, { force: true });
    }
  }
}

function readHolder(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
