import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { WhyFacts, WhyReport, WhyRequest } from "@docsearch/core";
import { readPlaces } from "@docsearch/service/index-places";
import { nameInProject } from "@docsearch/service/project";
import { DocsearchError } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";
import { openIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { printJson } from "../output/print-json.js";
import { styler } from "../output/style.js";
import { placesOf } from "../places.js";
import { fileOfName, projectRoot } from "../project.js";
import { searchFilter } from "../search-filter.js";
import type { Flags } from "../setting-flags.js";

interface WhyFlags extends Flags {
  readonly mode: "hybrid" | "keyword" | "semantic";
  readonly limit: number;
  readonly groupBy: "chunk" | "document";
  readonly path?: readonly string[];
  readonly collection?: readonly string[];
  readonly queryFilters: boolean;
  readonly json?: boolean;
}

/** Says why a file, or a line of it, is among the results of a query or not. */
export async function whyCommand([query = "", place = ""]: readonly string[], flags: WhyFlags): Promise<void> {
  const { mode, limit, groupBy, path = [], collection = [], queryFilters, json = false } = flags;
  const root = projectRoot();
  const filter = searchFilter(path, collection, root);
  const target = targetOf(place, root);
  const { docsearch } = await openIndex(flags);
  try {
    const request: WhyRequest = { query, queryFilters, mode, limit, groupBy, target, ...(filter && { filter }) };
    const isIndexed = (await docsearch.why(request)).steps.some(({ stage }) => stage === "chunk");
    const facts = isIndexed ? undefined : await factsOf(target.path, root);
    const report = await docsearch.why({ ...request, ...(facts && { facts }) });
    if (json) printJson({ query, target, ...report });
    else process.stdout.write(format(report, target));
    process.exitCode = report.lostAt === undefined ? EXIT.ok : EXIT.negative;
  } finally {
    await docsearch.close();
  }
}

/** A path with a line behind a colon, unless there is a file of that name. Throws `CONFIG_INVALID` for a folder. */
function targetOf(place: string, root: string): WhyRequest["target"] {
  const match = /^(?<file>.+):(?<line>[1-9]\d*)$/.exec(place);
  const isLine = match?.groups !== undefined && !existsSync(place);
  const file = isLine ? (match.groups?.file as string) : place;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw isFolder(file);
  const path = nameInProject(root, resolve(file));
  return isLine ? { path, line: Number(match.groups?.line) } : { path };
}

function isFolder(path: string): DocsearchError<"CONFIG_INVALID"> {
  const expected = "a file, or a line of it";
  const message = `${path} is a folder; expected ${expected}. Name a file in it`;
  return new DocsearchError("CONFIG_INVALID", message, { setting: "place", value: path, expected });
}

/** What an index run would do with a file that the index does not have. */
async function factsOf(name: string, root: string): Promise<WhyFacts> {
  const file = fileOfName(root, name);
  if (!existsSync(file)) return { walk: { passed: false, reason: `there is no file ${name}` } };
  for await (const item of readPlaces(placesOf([root], {}, root), {})) {
    if (item.type === "skip" && isAtOrAbove(item.path, name)) {
      return { walk: { passed: false, reason: `left out by rule: ${item.reason}` } };
    }
    if (item.type === "failure" && isAtOrAbove(item.documentId, name)) {
      const reason = item.error instanceof Error ? item.error.message : String(item.error);
      return { walk: { passed: true, reason: "found" }, read: { passed: false, reason } };
    }
    if (item.type === "document" && item.document.path === name) {
      return { walk: { passed: true, reason: "found" }, read: { passed: true, reason: item.document.mediaType } };
    }
  }
  return { walk: { passed: false, reason: `it is not below ${root}, or in a folder that is left out` } };
}

function isAtOrAbove(path: string, name: string): boolean {
  return path === name || name.startsWith(path.endsWith("/") ? path : `${path}/`);
}

function format({ steps, rank, lostAt }: WhyReport, { path, line }: WhyRequest["target"]): string {
  const style = styler(process.stdout);
  const colours = { passed: "dim", missed: "yellow", lost: "yellow" } as const;
  const rows = steps.map(({ stage, outcome, message }) =>
    style(colours[outcome], escapeLine(`${stage.padEnd(10)} ${outcome.padEnd(6)} ${message}`)),
  );
  const where = line === undefined ? path : `${path}:${line}`;
  const verdict = lostAt === undefined ? `result ${rank}: ${where}` : `no result: ${where}, lost at ${lostAt}`;
  return `${[...rows, style("bold", escapeLine(verdict))].join("\n")}\n`;
}
