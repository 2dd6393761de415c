import { SymbolCount } from "./symbols.js";
import type { TextLines } from "./text-lines.js";

/** Share of the lines that make the body, and least share of its own indentation. */
const BODY_SHARE = 0.6;
const LEVEL_SHARE = 0.15;

/**
 * Columns by which the body of the text is indented, as in RFCs and manual pages: the smallest indentation that many
 * lines have, when most lines have it or more, it is no code, and what stands further left are mostly single lines.
 * 0 for most texts.
 */
export function bodyIndent(lines: TextLines): number {
  const counts = new Map<number, number>();
  let total = 0;
  for (let line = 0; line < lines.count; line++) {
    const indent = lines.indent(line);
    if (indent < 0) continue;
    total++;
    counts.set(indent, (counts.get(indent) ?? 0) + 1);
  }
  const indents = [...counts.keys()].sort((a, b) => a - b);
  const body = indents.find((indent) => indent >= 2 && counts.get(indent)! >= total * LEVEL_SHARE);
  if (body === undefined) return 0;
  const inside = indents.filter((indent) => indent >= body).reduce((sum, indent) => sum + counts.get(indent)!, 0);
  return inside >= total * BODY_SHARE && isBody(lines, body) ? body : 0;
}

function isBody(lines: TextLines, body: number): boolean {
  let outside = 0;
  let inRuns = 0;
  const symbols = new SymbolCount();
  for (let line = 0; line < lines.count; line++) {
    const indent = lines.indent(line);
    if (indent === body) symbols.add(lines.content(line));
    else if (indent >= 0 && indent < body) {
      outside++;
      const next = line + 1 < lines.count ? lines.indent(line + 1) : -1;
      if (next >= 0 && next < body) inRuns++;
    }
  }
  return inRuns * 2 <= outside && !symbols.areMany;
}
