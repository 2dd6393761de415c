import type { SearchResponse, SearchResult } from "@docsearch/core";
import { shownPath } from "../project.js";
import { escapeLine, escapeText } from "./escape.js";
import { type Styler, styler } from "./style.js";

/** Results for a person: place, heading path, snippet with the matches marked, and the score. */
export function formatResults({ results }: SearchResponse, projectRoot: string, explain: boolean): string {
  const style = styler(process.stdout);
  return results.map((result) => `${linesOf(result, projectRoot, explain, style).join("\n")}\n`).join("\n");
}

function linesOf(result: SearchResult, projectRoot: string, explain: boolean, style: Styler): string[] {
  const { rank, score, document, chunk } = result;
  const path = escapeLine(shownPath(projectRoot, document.path ?? document.id));
  const { startLine, endLine } = linesShown(result);
  const place = `${path}:${startLine}${endLine === startLine ? "" : `-${endLine}`}`;
  const heading = escapeLine(chunk.headingPath.join(" > ") || (document.title ?? ""));
  const lines = [
    ...(heading === "" ? [] : [style("bold", heading)]),
    ...(result.passage === undefined ? highlighted(result, style) : plain(result.passage.text).split("\n")),
    ...(explain ? explanation(result).map((line) => style("dim", line)) : []),
  ];
  const head = `${String(rank).padStart(2)}  ${style("cyan", place)}  ${style("dim", score.toFixed(3))}`;
  return [head, ...lines.map((line) => `    ${line}`.trimEnd())];
}

/** The lines that the place names: those of the passage, else of the chunk and what was joined to it. */
function linesShown({ chunk, adjacent = [], passage }: SearchResult): { startLine: number; endLine: number } {
  if (passage !== undefined) return passage;
  const spans = [chunk, ...adjacent].map(({ span }) => span);
  return {
    startLine: Math.min(...spans.map(({ startLine }) => startLine)),
    endLine: Math.max(...spans.map(({ endLine }) => endLine)),
  };
}

/** Lines of the snippet. Matches are styled line by line, so that no style runs into the next one. */
function highlighted({ snippet }: SearchResult, style: Styler): string[] {
  let text = "";
  let end = 0;
  for (const [start, stop] of snippet.highlights) {
    text += plain(snippet.text.slice(end, start));
    const match = plain(snippet.text.slice(start, stop));
    text += match.replace(/[^\n]+/g, (part) => style("yellow", part));
    end = stop;
  }
  return (text + plain(snippet.text.slice(end))).split("\n").filter((line) => line.trim() !== "");
}

function plain(text: string): string {
  return escapeText(text.replace(/\r\n?/g, "\n"));
}

function explanation({ score, breakdown }: SearchResult): string[] {
  const { fusion, lexical, retrievers, rules } = breakdown;
  const method = fusion.k === undefined ? fusion.method : `${fusion.method} k=${fusion.k}`;
  return [
    ...retrievers.map(({ retriever, rank, score: own, weight, contribution }) => {
      const parts =
        retriever === "lexical" ? ` (chunk ${lexical.chunk.toFixed(2)}, document ${lexical.document.toFixed(2)})` : "";
      const place = rank === undefined ? "not among its candidates" : `rank ${rank}`;
      return `${retriever.padEnd(8)} ${place}, score ${own.toFixed(3)}${parts}, weight ${Number(weight.toFixed(3))}: ${contribution.toFixed(4)}`;
    }),
    `fusion   ${method}: ${fusion.score.toFixed(4)}, rank ${fusion.rank}`,
    ...rules.map(({ rule, bonus, factor }) =>
      bonus === undefined
        ? `rule     ${rule}: times ${(factor ?? 1).toFixed(3)}`
        : `rule     ${rule}: plus ${bonus.toFixed(4)}`,
    ),
    `score    ${score.toFixed(4)}`,
  ];
}
