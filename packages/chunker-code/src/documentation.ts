import type { Range } from "@docsearch/text-split";
import { foldBlanks } from "./fold-blanks.js";

const MAX_CHARACTERS = 400;
const OPENING =
  /^\s*(?:@(?:module|type)?doc\b\s*(?:~[sS])?(?:"""|")?|\/\*+!?|\/\/[/!]?|\(\*+|<!--|\{-\s*\|?|--\[=*\[|-{2,3}\s*\|?|#+!?|;+|%+|[rRuUbBfF]{0,2}(?:"""|'''|"|')|\*(?!\/))\s?/;
const CLOSING = /\s*(?:\*+\/|\*+\)|-->|-\}|\]=*\]|"""|'''|"|')\s*$/;
/** What the last character of a closing sign may be. */
const CLOSING_END = /[/)>}\]"']/;

/** Marks of documentation in XML and HTML; what they refer to is a word of its own. */
const TAG =
  /<\/?(?:a|b|br|c|code|em|example|exception|i|inheritdoc|li|ol|p|para|param|paramref|pre|remarks|returns|see|seealso|strong|summary|tt|typeparam|typeparamref|ul|value)\b(?:[^<>]*?\b(?:cref|name|langword)="([^"<>]*)")?[^<>]*>/g;
/** Comments that speak to tools. */
const DIRECTIVE =
  /^\s*(?:\/\/(?:go:|\s*(?:nolint|eslint-|@ts-))|\/\*\s*(?:eslint-|istanbul |c8 )|@(?:module|type)?doc\s+false|=(?:begin|end)\b|#\s*(?:noqa|type:\s*ignore|pylint:|rubocop:))/;

/** The words of comments or of a docstring, without their signs, cut at `MAX_CHARACTERS`. Empty when there are none. */
export function documentationOf(text: string, ranges: readonly Range[]): string {
  const words: string[] = [];
  let length = 0;
  for (const { start, end } of ranges) {
    // Signs take room, but not more than the words.
    for (const line of text.slice(start, Math.min(end, start + 4 * MAX_CHARACTERS)).split(/\r\n?|\n/)) {
      if (DIRECTIVE.test(line)) continue;
      const plain = withoutClosing(withoutClosing(line).replace(OPENING, "")).trim();
      if (plain === "" || length > MAX_CHARACTERS) continue;
      words.push(plain);
      length += plain.length + 1;
    }
  }
  const joined = words.join(" ");
  const all = foldBlanks(joined.includes("<") ? joined.replace(TAG, " $1 ") : joined);
  return all.length <= MAX_CHARACTERS ? all : all.slice(0, MAX_CHARACTERS).toWellFormed().trimEnd();
}

/** The end of the line is looked at first: most lines close nothing, and the pattern would be tried at each character. */
function withoutClosing(line: string): string {
  return CLOSING_END.test(line.trimEnd().slice(-1)) ? line.replace(CLOSING, "") : line;
}
