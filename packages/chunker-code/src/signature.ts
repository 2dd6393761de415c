import type { Definition } from "./definition.js";
import { foldBlanks } from "./fold-blanks.js";

const MAX_CHARACTERS = 300;
/** What leads to a body and is no part of the signature. */
const TAIL = /\s*(?:\{|:\s+#.*|:|=>?|->|;|,|\b(?:do|where|begin))$/;

/** Kinds whose text is mostly a value. */
const VALUES: ReadonlySet<string> = new Set(["constant", "variable", "type", "property"]);

/** The definition up to its body, white space folded; without a body its first line, and what its parentheses hold. */
export function signatureOf(text: string, { kind, coreStart, nodeStart, bodyStart, coreEnd }: Definition): string {
  const hasBody = bodyStart > coreStart && bodyStart < coreEnd;
  const from = Math.max(coreStart, nodeStart);
  const end = hasBody
    ? bodyStart
    : VALUES.has(kind)
      ? endOfLine(text, from, coreEnd)
      : endOfBalancedLine(text, from, coreEnd);
  const head = text.slice(coreStart, Math.min(end, coreStart + 2 * MAX_CHARACTERS));
  let folded = foldBlanks(head);
  for (let inner = ""; inner !== folded; ) {
    inner = folded;
    folded = folded.replace(TAIL, "");
  }
  return folded.length <= MAX_CHARACTERS ? folded : folded.slice(0, MAX_CHARACTERS).toWellFormed();
}

/** End of the first line, of those from `from` on, behind which no parenthesis is open. */
function endOfBalancedLine(text: string, from: number, limit: number): number {
  const last = Math.min(limit, from + 2 * MAX_CHARACTERS);
  let open = 0;
  for (let at = from; at < last; at++) {
    const char = text[at]!;
    if (char === "(") open++;
    else if (char === ")") open--;
    else if (open <= 0 && (char === "\n" || char === "\r")) return at;
  }
  return last;
}

function endOfLine(text: string, from: number, limit: number): number {
  const line = /^[^\r\n]*/.exec(text.slice(from, limit))![0];
  return from + line.length;
}
