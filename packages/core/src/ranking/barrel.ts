/** Names of files that gather what others define. */
const GATHERING = /^(?:index|mod|lib|__init__)\.\w+$/;
const COMMENT = /^(?:\/\/|\/\*|\*|#(?!\[))/;
/** Lines that import, export or list names, and the ends of such statements. */
const LISTING =
  /^(?:import\b|from\s+\S+\s+import\b|export\s+(?:type\s+)?(?:\*|\{)|(?:pub(?:\([^)]*\))?\s+)?(?:use|mod)\s+[\w:{}*, ]+;?$|__all__\b|["']?[\w$.]+["']?(?:\s+as\s+[\w$]+)?(?:,\s*["']?[\w$.]+["']?(?:\s+as\s+[\w$]+)?)*,?$|[)\]}]+(?:\s*from\b.*)?[;,]?$)/;

export function isGatheringFile(path: string): boolean {
  return GATHERING.test(path.split("/").at(-1) ?? "");
}

/** The share of the lines of code that only import, export or list names; 0 without code. */
export function thinShare(text: string): number {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !COMMENT.test(line));
  return lines.length === 0 ? 0 : lines.filter((line) => LISTING.test(line)).length / lines.length;
}
