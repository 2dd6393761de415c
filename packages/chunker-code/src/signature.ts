import type { Definition } from "./definition.js";

const MAX_CHARACTERS = 300;
/** What leads to a body and is no part of the signature. */
const TAIL = /\s*(?:\{|:\s+#.*|:|=>?|->|;|,|\b(?:do|where|begin))$/;

/** The definition up to its body, white space folded; without a body its first line. */
export function signatureOf(text: string, { coreStart, nodeStart, bodyStart, coreEnd }: Definition): string {
  const hasBody = bodyStart > coreStart && bodyStart < coreEnd;
  const end = hasBody ? bodyStart : endOfLine(text, nodeStart, coreEnd);
  const head = text.slice(coreStart, Math.min(end, coreStart + 2 * MAX_CHARACTERS));
  let folded = head.replace(/\s+/g, " ").trim();
  for (let inner = ""; inner !== folded; ) {
    inner = folded;
    folded = folded.replace(TAIL, "");
  }
  return folded.length <= MAX_CHARACTERS ? folded : folded.slice(0, MAX_CHARACTERS).toWellFormed();
}

function endOfLine(text: string, from: number, limit: number): number {
  const line = /^[^\r\n]*/.exec(text.slice(from, limit))![0];
  return from + line.length;
}
