import type { SearchResponse, SearchResult } from "@docsearch/core";
import { styler } from "./style.js";

/** Results for a person: place, heading path, snippet with the matches marked, and the score. */
export function formatResults(response: SearchResponse, explain: boolean): string {
  const style = styler(process.stdout);
  return response.results
    .map((result) => {
      const { rank, score, document, chunk } = result;
      const place = `${document.path ?? document.id}:${chunk.span.startLine}-${chunk.span.endLine}`;
      const heading = chunk.headingPath.join(" > ") || (document.title ?? "");
      const lines = [
        `${String(rank).padStart(2)}  ${style("cyan", place)}  ${style("dim", score.toFixed(3))}`,
        ...(heading === "" ? [] : [`    ${style("bold", heading)}`]),
        ...highlighted(result, style).map((line) => `    ${line}`),
        ...(explain ? explanation(result).map((line) => `    ${style("dim", line)}`) : []),
      ];
      return `${lines.join("\n")}\n`;
    })
    .join("\n");
}

function highlighted({ snippet }: SearchResult, style: ReturnType<typeof styler>): string[] {
  let text = "";
  let end = 0;
  for (const [start, stop] of snippet.highlights) {
    text += snippet.text.slice(end, start) + style("yellow", snippet.text.slice(start, stop));
    end = stop;
  }
  return (text + snippet.text.slice(end)).split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
}

function explanation({ breakdown }: SearchResult): string[] {
  const { fusion, lexical, retrievers, rules } = breakdown;
  const method = fusion.k === undefined ? fusion.method : `${fusion.method} k=${fusion.k}`;
  return [
    ...retrievers.map(({ retriever, rank, score, weight, contribution }) => {
      const parts =
        retriever === "lexical" ? ` (chunk ${lexical.chunk.toFixed(2)}, document ${lexical.document.toFixed(2)})` : "";
      const place = rank === undefined ? "not among its candidates" : `rank ${rank}`;
      return `${retriever.padEnd(8)} ${place}, score ${score.toFixed(3)}${parts}, weight ${weight}: ${contribution.toFixed(4)}`;
    }),
    `fusion   ${method}: ${fusion.score.toFixed(4)}, rank ${fusion.rank}`,
    ...rules.map(({ rule, factor }) => `rule     ${rule}: times ${factor.toFixed(3)}`),
  ];
}
