import type { Range } from "@docsearch/text-split";

const MAX_CHARACTERS = 400;
const OPENING =
  /^\s*(?:@(?:module|type)?doc\s+(?:~[sS])?(?:"""|")|\/\*+!?|\/\/[/!]?|\(\*+|<!--|\{-\s*\|?|--\[=*\[|-{2,3}\s*\|?|#+!?|;+|%+|[rRuUbBfF]{0,2}(?:"""|'''|"|')|\*(?!\/))\s?/;
const CLOSING = /\s*(?:\*+\/|\*+\)|-->|-\}|\]=*\]|"""|'''|"|')\s*$/;

/** The words of comments or of a docstring, without their signs, cut at `MAX_CHARACTERS`. Empty when there are none. */
export function documentationOf(text: string, ranges: readonly Range[]): string {
  const words: string[] = [];
  let length = 0;
  for (const { start, end } of ranges) {
    // Signs take room, but not more than the words.
    for (const line of text.slice(start, Math.min(end, start + 4 * MAX_CHARACTERS)).split(/\r\n?|\n/)) {
      const plain = line.replace(CLOSING, "").replace(OPENING, "").replace(CLOSING, "").trim();
      if (plain === "" || length > MAX_CHARACTERS) continue;
      words.push(plain);
      length += plain.length + 1;
    }
  }
  const all = words.join(" ").replace(/\s+/g, " ");
  return all.length <= MAX_CHARACTERS ? all : all.slice(0, MAX_CHARACTERS).toWellFormed().trimEnd();
}
