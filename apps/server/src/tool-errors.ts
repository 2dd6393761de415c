import { isDocsearchError } from "@docsearch/spec";
import type { ServerOptions } from "./options.js";

/**
 * What a failed call says: what was wrong and what to do next, for a reader who cannot see this machine. Paths are from
 * the project's folder.
 */
export function describeError(error: unknown, { projectRoot, readOnly }: ServerOptions): string {
  if (isDocsearchError(error, "INDEX_MISSING")) {
    return readOnly
      ? "There is no index yet. It is made by the command: docsearch index <paths>, in the project's folder."
      : 'There is no index yet. Call index_path with a folder of the project, such as ".".';
  }
  if (isDocsearchError(error, "INDEX_MISMATCH") || isDocsearchError(error, "INDEX_FORMAT")) {
    return `The index was made with other settings or by another version and cannot answer. Ask the user to run: ${error.details.command}`;
  }
  if (isDocsearchError(error, "INDEX_LOCKED"))
    return "Another process is writing the index. Try again in a few seconds.";
  const message = error instanceof Error ? error.message : String(error);
  const known = isDocsearchError(error) ? message : `The server failed: ${message}`;
  return fromProject(known, projectRoot);
}

/** Paths of the folder by names from it; a folder beside it whose name begins alike keeps its own. */
function fromProject(text: string, root: string): string {
  const [head = "", ...rest] = text.split(root);
  return rest.reduce((done, tail) => {
    if (tail.startsWith("/")) return done + tail.slice(1);
    return done + (/^[\p{L}\p{N}_-]|^\.\w/u.test(tail) ? root : ".") + tail;
  }, head);
}
