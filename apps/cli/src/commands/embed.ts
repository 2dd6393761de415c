import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Docsearch,
  type EmbedReport,
  embedderSettings,
  type KnownEmbedder,
  knownEmbeddersFile,
  namesEmbedder,
  readKnownEmbedders,
  rememberEmbedder,
} from "@docsearch/core";
import { projectSources } from "@docsearch/service/config";
import { readPlaces } from "@docsearch/service/index-places";
import { sourceNames } from "@docsearch/service/source-names";
import { DocsearchError, type Env, type SourceItem, type SpaceEmbedding } from "@docsearch/spec";
import { asSettingFlags, type EmbedderFlags, nameSpaces, withBackend } from "../embedders.js";
import { environmentOf } from "../environment.js";
import { EXIT } from "../exit-codes.js";
import { interruptible } from "../interrupt.js";
import { openForEmbedding, withStoredIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { counted, grouped, lasting } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { type Progress, progressOn } from "../output/progress.js";
import { warn } from "../output/warn.js";
import { placesOf } from "../places.js";
import { projectRoot } from "../project.js";
import type { Flags } from "../setting-flags.js";

interface EmbedFlags extends EmbedderFlags {
  readonly json?: boolean;
}

/** Larger than any file that an index took in. */
const ANY_SIZE = 1_000_000_000;

export async function embedCommand(_operands: readonly string[], given: EmbedFlags): Promise<void> {
  const flags = asSettingFlags(given);
  const env = withBackend(environmentOf(flags));
  const started = performance.now();
  let progress: Progress | undefined;
  let done = 0;
  const run = async (signal: AbortSignal): Promise<void> => {
    const { docsearch } = await openForEmbedding(flags, env);
    const { schema, stats } = await docsearch.status({ signal });
    const { embedding } = schema;
    try {
      if (embedding === null) throw nothingToEmbedWith();
      warnOfOtherLength(env, embedding, readKnownEmbedders(knownEmbeddersFile(env)));
      const own = (await docsearch.listSpaces({ signal })).find(({ embedding: { id } }) => id === embedding.id);
      const lacking = own?.lacking ?? 0;
      const shown = progressOn(process.stderr);
      progress = shown;
      const begin = performance.now();
      const report = await docsearch.embed({
        documents: await storedDocuments(docsearch, signal),
        signal,
        onProgress: (embedded) => {
          // Not before it has worked once, and not only at the end, which a run that is killed does not reach.
          if (done === 0) remember(env, embedding);
          done = embedded;
          const left = (((performance.now() - begin) / Math.max(1, embedded)) * (lacking - embedded)) / 1000;
          shown.update(() => `${grouped(embedded)} of ${counted(lacking, "chunk")} embedded, ${lasting(left)} left`);
        },
      });
      shown.clear();
      if (done === 0) remember(env, embedding);
      await show(docsearch, report, stats.chunks, env, given.json === true, (performance.now() - started) / 1000);
      await docsearch.close();
    } catch (error) {
      await docsearch.close().catch(() => {});
      if (done === 0 && embedding !== null) await dropIfEmpty(flags, embedding.id).catch(() => {});
      throw error;
    }
  };
  try {
    await interruptible(run, () => `stopped; ${counted(done, "chunk")} of this run are kept, run it again to go on`);
  } finally {
    progress?.clear();
  }
}

/** `--embedder none`. */
function nothingToEmbedWith(): DocsearchError<"CONFIG_INVALID"> {
  const expected = "a model";
  return new DocsearchError("CONFIG_INVALID", `there is nothing to embed with; expected ${expected}: --model <name>`, {
    setting: "--model",
    value: "none",
    expected,
  });
}

/** A model that cannot be had leaves nothing behind. */
async function dropIfEmpty(flags: Flags, embedderId: string): Promise<void> {
  await withStoredIndex(flags, "write", async ({ spaces }) => {
    const space = (await spaces?.list())?.find(({ embedding: { id } }) => id === embedderId);
    if (space?.isActive === false && space.vectors === 0 && space.lacking > 0) await spaces?.drop(embedderId);
  });
}

/** What the index has, read again from where it was: a collection is a source of the project, or named by its place. */
async function storedDocuments(docsearch: Docsearch, signal: AbortSignal): Promise<AsyncIterable<SourceItem>> {
  const root = projectRoot();
  const sources = new Map(projectSources(root, process.env)?.sources.map((source) => [source.name, source]));
  const collections = await sourceNames(docsearch, { signal });
  const refused = collections.filter((name) => sources.get(name)?.access === "outside");
  for (const name of refused) {
    warn(`${name} lies outside the project; its chunks stay without a vector until docsearch trust allows to read it`);
  }
  const allowed = collections.filter((name) => !refused.includes(name));
  const folders = [...new Set(allowed.map((name) => sources.get(name)?.root ?? resolve(root, name)))];
  for (const folder of folders)
    if (!existsSync(folder)) warn(`${folder} is not there; its chunks stay without a vector`);
  // Whatever rules decided what is indexed: all that is read is compared with what the index has.
  const selection = { allow: ["secret"], maxFileBytes: ANY_SIZE } as const;
  return readPlaces(placesOf(folders.filter(existsSync), selection, root), { signal });
}

/** For indexes that answer with it, and for comparing. An embedder that nobody named is the one that ships. */
function remember(env: Env, embedding: SpaceEmbedding): void {
  if (!namesEmbedder(env)) return;
  const file = knownEmbeddersFile(env);
  try {
    rememberEmbedder(file, { ...embedding, settings: embedderSettings(env) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warn(`${file} cannot be written (${reason}); searches with this model need its settings in the environment`);
  }
}

/** A server that was changed behind its name makes what looks like one model two. */
function warnOfOtherLength(env: Env, { id, dimensions }: SpaceEmbedding, known: readonly KnownEmbedder[]): void {
  const settings = JSON.stringify(Object.entries(embedderSettings(env)).sort());
  const before = known.find(
    (each) => each.id !== id && JSON.stringify(Object.entries(each.settings).sort()) === settings,
  );
  if (before === undefined) return;
  const was = before.dimensions === dimensions ? before.id : `${before.dimensions} dimensions`;
  const is = before.dimensions === dimensions ? id : String(dimensions);
  warn(`with the same settings this model was another one before (${was}, now ${is}); its vectors are kept apart`);
}

async function show(
  docsearch: Docsearch,
  report: EmbedReport,
  chunks: number,
  env: Env,
  asJson: boolean,
  seconds: number,
): Promise<void> {
  const { schema } = await docsearch.status();
  const spaces = nameSpaces(await docsearch.listSpaces(), env);
  const own = spaces.find(({ embedding: { id } }) => id === schema.embedding?.id);
  const active = spaces.find(({ isActive }) => isActive);
  const { embedded, lacking, failures, truncated = 0 } = report;
  if (asJson)
    printJson({ ...report, failures: failures.map(jsonFailure), space: own, active: active?.embedding.id, seconds });
  else {
    const name = own?.name ?? "";
    const lines = [
      `${counted(embedded, "chunk")} embedded in ${seconds.toFixed(1)} s; ${name} has ${grouped(chunks - lacking)} of ${counted(chunks, "chunk")}`,
      ...(own?.isActive === false
        ? [
            `the index still answers with ${active?.name ?? "words alone"}`,
            ...(lacking === 0 ? [`compare: docsearch eval <queries>; switch: docsearch embed use ${name}`] : []),
          ]
        : []),
    ];
    process.stdout.write(lines.map((line) => `${escapeLine(line)}\n`).join(""));
  }
  for (const { documentId, error } of failures.slice(0, SHOWN)) {
    warn(`${documentId}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (failures.length > SHOWN) warn(`and ${grouped(failures.length - SHOWN)} more failures`);
  if (truncated > 0) warn(`${counted(truncated, "chunk")} longer than the model takes; smaller ones fit: --chunk-size`);
  if (lacking > 0) {
    const how =
      failures.length > 0 ? "the same command goes on" : "their files changed or are gone: docsearch index <paths>";
    warn(`${counted(lacking, "chunk")} still lacking; ${how}`);
  }
  process.exitCode = lacking > 0 ? EXIT.negative : EXIT.ok;
}

const SHOWN = 5;

function jsonFailure({ documentId, error }: EmbedReport["failures"][number]): object {
  return { documentId, message: error instanceof Error ? error.message : String(error) };
}
