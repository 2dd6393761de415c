import { analyzeQuery, createAnalyzer } from "@docsearch/core";
import { findGaps, type Gap, type GapReport, readQueryLog } from "@docsearch/service/query-log";
import { DocsearchError } from "@docsearch/spec";
import { escapeLine } from "../output/escape.js";
import { counted, grouped } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { styler } from "../output/style.js";
import { warn } from "../output/warn.js";
import type { Flags } from "../setting-flags.js";

interface GapsFlags extends Flags {
  readonly limit: number;
  readonly json?: boolean;
}

const SHOWN_QUERIES = 3;

export async function gapsCommand([file]: readonly string[], { limit, json }: GapsFlags): Promise<void> {
  const log = file ?? process.env.DOCS_QUERY_LOG?.trim();
  if (!log) throw needsLog();
  const { entries, unreadable, files } = await readQueryLog(log);
  if (files === 0) throw isMissing(log);
  if (entries.length === 0 && unreadable > 0) throw isNoLog(log, unreadable);
  const analyzer = createAnalyzer();
  const report = findGaps(entries, (query) => analyzeQuery(analyzer, query));
  if (json) printJson({ ...report, gaps: report.gaps.slice(0, limit), unreadable });
  else process.stdout.write(report.gaps.slice(0, limit).map(format).join("\n"));
  for (const remark of remarks(log, report, unreadable)) warn(remark);
}

function format({ topic, searches, empty, lastTime, queries }: Gap): string {
  const style = styler(process.stdout);
  const counts = `asked ${counted(searches, "time")}, ${grouped(empty)} without any result, last ${lastTime.slice(0, 10)}`;
  const shown = queries.slice(0, SHOWN_QUERIES).map((query) => `  ${escapeLine(query)}\n`);
  const rest = queries.length - shown.length;
  return `${style("bold", escapeLine(topic.join(", ") || "(no words)"))}  ${style("dim", counts)}\n${shown.join("")}${rest > 0 ? `  and ${rest} more\n` : ""}`;
}

function remarks(log: string, { searches, unanswered, withoutText }: GapReport, unreadable: number): string[] {
  return [
    searches === 0
      ? `${log} holds no search; set DOCS_QUERY_LOG=${log} and DOCS_QUERY_LOG_TEXT=yes where searches run`
      : `of ${grouped(searches)} ${searches === 1 ? "search" : "searches"} without a filter, ${grouped(unanswered)} found nothing or nothing near`,
    ...(withoutText > 0
      ? [
          `${grouped(withoutText)} of them ${withoutText === 1 ? "was" : "were"} logged without words; set DOCS_QUERY_LOG_TEXT=yes to keep them`,
        ]
      : []),
    ...(unreadable > 0 ? [`${counted(unreadable, "line")} of the log cannot be read`] : []),
  ];
}

function needsLog(): DocsearchError<"CONFIG_INVALID"> {
  const expected = "the file of a query log, as an operand or in DOCS_QUERY_LOG";
  return new DocsearchError("CONFIG_INVALID", `gaps has no log to read; expected ${expected}`, {
    setting: "log",
    value: "",
    expected,
  });
}

function isMissing(log: string): DocsearchError<"CONFIG_INVALID"> {
  const expected = "the file of a query log; searches write one where DOCS_QUERY_LOG names it";
  return new DocsearchError("CONFIG_INVALID", `there is no file ${log}; expected ${expected}`, {
    setting: "log",
    value: log,
    expected,
  });
}

function isNoLog(log: string, lines: number): DocsearchError<"CONFIG_INVALID"> {
  const expected = "the file of a query log, a JSON object on each line, as DOCS_QUERY_LOG makes it";
  const message = `${log} is no query log: of its ${counted(lines, "line")} none can be read; expected ${expected}`;
  return new DocsearchError("CONFIG_INVALID", message, { setting: "log", value: log, expected });
}
