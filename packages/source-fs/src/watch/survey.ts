import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CallOptions } from "@docsearch/spec";
import type { WalkOptions } from "../walk/options.js";
import { walk } from "../walk/walk.js";

/** What a walk over trees finds, as far as watching them needs it. */
export interface Survey {
  /** Changes when a file comes, goes or is written to, and when other files are taken in. */
  readonly fingerprint: string;
  /** Absolute paths of folders that are not looked into. */
  readonly skippedFolders: ReadonlySet<string>;
  /** Names of the folders that are looked into. */
  readonly folderNames: ReadonlySet<string>;
}

/** Walks the trees. One that cannot be walked now counts as empty: it may come back. */
export async function survey(trees: readonly WalkOptions[], call: CallOptions): Promise<Survey> {
  const hash = createHash("sha256");
  const skippedFolders = new Set<string>();
  const folderNames = new Set<string>();
  for (const tree of trees) {
    try {
      const root = realpathSync(resolve(tree.root));
      for await (const item of walk(tree, call)) {
        hash.update(`${item.path}\0`);
        if (item.type === "file") hash.update(`${item.size}\0${item.mtimeMs}\0${item.ctimeMs}\0${item.inode}\0`);
        if (item.type === "skip" && item.path.endsWith("/")) skippedFolders.add(join(root, item.path.slice(0, -1)));
        if (item.type === "file") for (const name of item.path.split("/").slice(0, -1)) folderNames.add(name);
      }
    } catch {
      call.signal?.throwIfAborted();
      hash.update("gone\0");
    }
  }
  return { fingerprint: hash.digest("base64"), skippedFolders, folderNames };
}
