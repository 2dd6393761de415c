import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { SMALL, writeBert } from "../scripts/bert.mjs";
import { vocabularyOf, WORDS } from "../scripts/tokenizer-files.mjs";
import { realModels } from "./real-models.js";

// The built command with the real transformers.js, as a user has them who installs @docsearch/transformers beside it.

const PACKAGE = join(import.meta.dirname, "..");
const COMMAND = join(PACKAGE, "../../apps/cli/bin/docsearch.js");
const KILLED_AT_JOB = new URL("./fixtures/killed-at-job.mjs", import.meta.url).href;

/** Starting a model takes half a second, and many times that on a machine that has much else to do. */
const PATIENCE_MS = 600_000;

const PLACES = ["harbour", "bay", "river", "canal", "lagoon"];
const THINGS = ["anchor", "rope", "sail", "tide", "chart", "buoy", "keel", "mast"];

const { folder, overlap } = realModels();
const model = join(folder, "sea");
const installed = join(folder, "node_modules");

beforeAll(() => {
  writeBert(model, "embedder", { ...SMALL, vocabulary: vocabularyOf([...WORDS, ...PLACES, ...THINGS, "in", "a"]) });
  mkdirSync(join(installed, "@docsearch"), { recursive: true });
  symlinkSync(PACKAGE, join(installed, "@docsearch/transformers"), "junction");
});

/** Pages about each thing in each place, in so many places; 32 texts are a job of the model. */
function writePages(name: string, places: readonly string[]): string {
  const pages = join(folder, name);
  for (const place of places) {
    const sections = THINGS.map((thing) => `## The ${thing}\n\nKeep the ${thing} in the ${place}.\n`);
    const path = join(pages, `docs/${place}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `# ${place}\n\n${sections.join("\n")}`);
  }
  return pages;
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function docsearch(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_PATH: installed,
      DOCS_EMBEDDER_BACKEND: "transformers",
      DOCS_EMBEDDER_MODEL: model,
      DOCS_MODEL_THREADS: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

// biome-ignore lint/suspicious/noExplicitAny: each command has a shape of its own, which the tests pin
async function json(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<any> {
  const { code, stdout, stderr } = await docsearch(cwd, [...args, "--json"], env);
  if (code !== 0) throw new Error(`exit code ${code}: ${args.join(" ")}\n${stderr}`);
  return JSON.parse(stdout);
}

interface Result {
  readonly path: string;
  readonly text: string;
  readonly score: number;
}

const semantic = async (pages: string): Promise<readonly [string, string, number][]> => {
  const { results } = await json(pages, ["search", "the mast in the lagoon", "--mode", "semantic", "-n", "20"]);
  return (results as Result[]).map(({ path, text: passage, score }) => [path, passage, score]);
};

let pages: string;
let report: unknown;
let undisturbed: Awaited<ReturnType<typeof semantic>>;

beforeAll(async () => {
  pages = writePages("undisturbed", PLACES);
  report = await json(pages, ["index", "docs"]);
  undisturbed = await semantic(pages);
}, PATIENCE_MS);

it.concurrent("indexes, and finds by meaning, by both, and with a reranker", { timeout: PATIENCE_MS }, async () => {
  expect(report).toMatchObject({ scanned: 5, chunks: 40, embedded: 40, failed: 0 });
  expect(await json(pages, ["index", "docs"])).toMatchObject({ unchanged: 5, embedded: 0 });
  const [[path, passage] = [], ...others] = undisturbed;
  expect([path, passage]).toEqual(["docs/lagoon.md", "## The mast\n\nKeep the mast in the lagoon."]);
  // The next four have the mast as well; the random layers leave that much of the words.
  expect(others.slice(0, 4).filter(([, other]) => other.startsWith("## The mast")).length).toBe(4);

  const { results, warnings } = await json(pages, ["search", "mast lagoon"]);
  expect(results[0]).toMatchObject({ path: "docs/lagoon.md", headingPath: ["lagoon", "The mast"] });
  expect(results[0].breakdown.retrievers.map(({ retriever }: { retriever: string }) => retriever)).toEqual([
    "lexical",
    "vector",
  ]);
  expect(warnings).toEqual([]);

  const reranker = {
    DOCS_RERANKER_BACKEND: "transformers",
    DOCS_RERANKER_MODEL: overlap,
    DOCS_RERANKER_BUDGET_MS: "60000",
  };

  const reranked = await json(pages, ["search", "keep the mast in the lagoon"], reranker);
  expect(reranked.warnings).toEqual([]);
  expect(reranked.results[0].breakdown.rerank).toEqual({ rank: expect.any(Number), score: expect.any(Number) });
});

it.concurrent("`docsearch models` says what is here and how fast it is", { timeout: PATIENCE_MS }, async () => {
  const cached = join(folder, ".cache/docsearch/models/tiny/bert");
  writeBert(cached, "embedder");
  const unnamed = { DOCS_EMBEDDER_BACKEND: "", DOCS_EMBEDDER_MODEL: "" };
  const { configured, cache, measured, known } = await json(folder, ["models", "--measure"], unnamed);
  expect(configured).toEqual({ name: "static", isNamed: false });
  expect(cache).toEqual({
    directory: join(folder, ".cache/docsearch/models"),
    models: [{ name: "tiny/bert", bytes: expect.any(Number), weights: ["model.onnx", "model_quantized.onnx"] }],
  });
  expect(known.length).toBe(12);
  expect(measured.map(({ name, dimensions }: { name: string; dimensions: number }) => [name, dimensions])).toEqual([
    ["static", 256],
    ["tiny/bert", 32],
  ]);
  for (const { queryMs, passagesPerSecond } of measured)
    expect(Math.min(queryMs, passagesPerSecond)).toBeGreaterThan(0);
});

describe("killing the model's process", () => {
  const killing = (name: string, settings: Record<string, string>) => ({
    NODE_OPTIONS: `--import=${KILLED_AT_JOB}`,
    KILLED: join(folder, name),
    ...settings,
  });
  const killed = (name: string): string[] => readFileSync(join(folder, name), "utf8").trimEnd().split("\n");

  it.concurrent("once costs a run nothing", { timeout: PATIENCE_MS }, async () => {
    const ours = writePages("once", PLACES);
    const env = killing("once.log", { KILL_AT_JOB: "2", KILL_ONCE: "yes" });
    expect(await json(ours, ["index", "docs"], env)).toMatchObject({ chunks: 40, embedded: 40, failed: 0 });
    expect(killed("once.log").length).toBe(1);
    expect(await semantic(ours)).toEqual(undisturbed);
  });

  it.concurrent("again and again ends a run, loses nothing, and the next run completes", {
    timeout: PATIENCE_MS,
  }, async () => {
    const ours = writePages("always", PLACES.slice(0, 4));
    expect(await json(ours, ["index", "docs"])).toMatchObject({ chunks: 32, embedded: 32 });
    writePages("always", PLACES);
    const env = killing("always.log", { KILL_AT_JOB: "1" });
    const { code, stdout, stderr } = await docsearch(ours, ["index", "docs"], env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`docsearch: The embedding model "${model}": its process ended (SIGKILL)`);
    // The job of eight texts is halved until three in a row have failed alone: 8, 4, 2, 1 and 1, 2 and 1.
    expect(killed("always.log").length).toBe(7);

    const search = ["search", "anchor harbour", "--mode", "keyword"];
    const { results } = await json(ours, search);
    expect(results[0]).toMatchObject({ path: "docs/harbour.md", headingPath: ["harbour", "The anchor"] });
    expect(await json(ours, ["index", "docs"])).toMatchObject({ scanned: 5, unchanged: 4, embedded: 8, failed: 0 });
    expect(await semantic(ours)).toEqual(undisturbed);
  });
});
