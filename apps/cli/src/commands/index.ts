import { statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { IndexEvent, IndexReport } from "@docsearch/core";
import { fileSource } from "@docsearch/source-fs";
import type { SourceItem } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";
import { openIndex, projectRoot } from "../open-index.js";
import { printJson } from "../output/print-json.js";
import { type Progress, progressOn } from "../output/progress.js";

interface IndexFlags {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly rebuild?: boolean;
  readonly json?: boolean;
}

export async function indexCommand(paths: readonly string[], flags: IndexFlags): Promise<void> {
  const started = performance.now();
  const places = paths.map(placeOf);
  const docsearch = await openIndex({ ...flags }, { mode: "write", onMismatch: flags.rebuild ? "recreate" : "error" });
  const progress = progressOn(process.stderr);
  try {
    const report = await docsearch.index({
      documents: readAll(places, flags),
      prune: { collections: places.map(({ collection }) => collection) },
      onEvent: showProgress(progress),
    });
    progress.end();
    print(report, (performance.now() - started) / 1000, flags.json ?? false);
    process.exitCode = report.failures.length > 0 ? EXIT.nothing : EXIT.ok;
  } finally {
    progress.end();
    await docsearch.close();
  }
}

interface Place {
  readonly root: string;
  readonly collection: string;
  /** Put before the relative paths of documents to make their ids. */
  readonly idPrefix: string;
  /** Put before them to make their display paths. */
  readonly pathPrefix: string;
}

/**
 * Inside the project documents are named by their path from the project's folder, so that the paths of results
 * can be opened from there. Outside of it they are shown by their path in the place, and told apart by the full one.
 */
function placeOf(path: string): Place {
  const root = resolve(path);
  const folder = statSync(root, { throwIfNoEntry: false })?.isFile() === true ? dirname(root) : root;
  const inside = (to: string): string => relative(projectRoot(), to).split(sep).join("/");
  if (inside(folder).startsWith("..") || isAbsolute(inside(folder))) {
    return { root, collection: root, idPrefix: `${folder}/`, pathPrefix: "" };
  }
  const prefix = inside(folder) === "" ? "" : `${inside(folder)}/`;
  return { root, collection: inside(root) || ".", idPrefix: prefix, pathPrefix: prefix };
}

async function* readAll(places: readonly Place[], flags: IndexFlags): AsyncIterable<SourceItem> {
  const { include, exclude } = flags;
  for (const place of places) {
    const { root, collection } = place;
    const source = fileSource({ root, collection, ...(include && { include }), ...(exclude && { exclude }) });
    for await (const item of source.read()) yield placed(item, place);
  }
}

function placed(item: SourceItem, { idPrefix, pathPrefix }: Place): SourceItem {
  if (item.type === "skip") return { ...item, path: pathPrefix + item.path };
  if (item.type === "failure") {
    return { ...item, documentId: idPrefix + item.documentId, path: pathPrefix + item.path };
  }
  const { document } = item;
  const path = pathPrefix + (document.path ?? document.id);
  return { ...item, document: { ...document, id: idPrefix + document.id, path } };
}

function showProgress(progress: Progress): (event: IndexEvent) => void {
  const started = performance.now();
  let documents = 0;
  let chunks = 0;
  return (event) => {
    if (event.type === "document") documents++;
    if (event.type === "write") chunks = event.chunks;
    if (event.type === "failure") {
      progress.end();
      process.stderr.write(
        `docsearch: ${event.documentId}: ${event.error instanceof Error ? event.error.message : event.error}\n`,
      );
    }
    const rate = Math.round(documents / ((performance.now() - started) / 1000));
    progress.update(`indexing: ${documents} documents, ${chunks} chunks, ${rate} documents/s`);
  };
}

function print(report: IndexReport, seconds: number, json: boolean): void {
  if (json) {
    const failures = report.failures.map(({ documentId, error }) => ({
      documentId,
      error: error instanceof Error ? error.message : String(error),
    }));
    printJson({ ...report, failures, seconds });
    return;
  }
  const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
  const parts = [
    `scanned ${report.scanned}`,
    `unchanged ${report.unchanged}`,
    `empty ${report.empty}`,
    `replaced ${report.replaced}`,
    `deleted ${report.deleted}`,
    `chunks ${report.chunks}`,
    `embedded ${report.embedded}`,
    `kept ${report.kept}`,
    `failed ${report.failures.length}`,
  ];
  process.stdout.write(`${parts.join("  ")}  in ${seconds.toFixed(2)} s\n`);
  if (skipped === 0) return;
  const reasons = Object.entries(report.skipped).map(([reason, count]) => `${reason} ${count}`);
  process.stderr.write(`left out ${skipped}: ${reasons.join(", ")}\n`);
}
