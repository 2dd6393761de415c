import type { CallOptions } from "@docsearch/spec";
import type { WalkOptions } from "./options.js";
import { walk } from "./walk.js";

/** Whether a walk brings any file. Ends at the first one. Throws like `walk`. */
export async function hasFiles(options: WalkOptions, call: CallOptions = {}): Promise<boolean> {
  for await (const item of walk(options, call)) if (item.type === "file") return true;
  return false;
}
