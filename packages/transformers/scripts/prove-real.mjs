// Proves the package against the real @huggingface/transformers, without a download: on tiny models made here.
// usage: node scripts/prove-real.mjs FOLDER      where FOLDER has node_modules/@huggingface/transformers; after a build
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { embedderConformance, rerankerConformance } from "@docsearch/conformance";
import { transformersEmbedder } from "../dist/index.js";
import { transformersReranker } from "../dist/reranker.js";
import { DIMENSIONS, embeddingOf, VOCABULARY, writeTinyModel } from "./tiny-model.mjs";

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write("usage: node scripts/prove-real.mjs FOLDER\n");
  process.exit(2);
}
const entry = createRequire(join(resolve(folder), "package.json")).resolve("@huggingface/transformers");
const module = pathToFileURL(entry.replace(/\.cjs$/, ".mjs")).href;
const models = mkdtempSync(join(tmpdir(), "docsearch-tiny-"));
/** @type {{ name: string, body: () => Promise<void> }[]} */
const tests = [];
/** @param {string} name @param {() => Promise<void>} body */
const test = (name, body) => tests.push({ name, body });

for (const kind of /** @type {const} */ (["embedder", "reranker"])) writeTinyModel(join(models, kind), kind);
const embedder = { module, model: join(models, "embedder"), dtype: "fp32" };
const reranker = { module, model: join(models, "reranker"), dtype: "fp32" };
const size = statSync(join(models, "embedder/onnx/model.onnx")).size;

test("a vector is what the table says, for each pooling", async () => {
  const ids = ["[CLS]", "change", "the", "port", "[SEP]"].map((token) => VOCABULARY.indexOf(token));
  for (const pooling of /** @type {const} */ (["mean", "cls", "last"])) {
    const chosen = pooling === "mean" ? ids : [/** @type {number} */ (pooling === "cls" ? ids[0] : ids.at(-1))];
    const sum = new Float64Array(DIMENSIONS);
    for (const id of chosen) for (const [i, value] of embeddingOf(id).entries()) sum[i] += value;
    const length = Math.hypot(...sum);
    const loaded = await transformersEmbedder({ ...embedder, pooling }).load();
    const { vectors } = await loaded.embedDocuments(["Change the port", "boats keep right boats keep right"]);
    await loaded.close();
    /** @type {Float32Array} */ (vectors[0]).forEach((value, i) => {
      assert.ok(Math.abs(value - /** @type {number} */ (sum[i]) / length) < 1e-6, `${pooling}: component ${i}`);
    });
  }
});

embedderConformance({
  test,
  load: () => transformersEmbedder(embedder).load(),
  longText: "boats keep right ".repeat(400),
});
rerankerConformance({ test, load: () => transformersReranker(reranker).load() });

test("a cut text has the vector of its beginning, closed as the model wants", async () => {
  const loaded = await transformersEmbedder({ ...embedder, pooling: "last", maxTokens: 10 }).load();
  const long = await loaded.embedDocuments(["boats ".repeat(5000)]);
  assert.deepEqual(long.truncated, [0]);
  const short = await loaded.embedDocuments(["boats ".repeat(8)]);
  assert.deepEqual(short, { vectors: long.vectors, truncated: [] });
  await loaded.close();
});

test("3,000 calls add less than 150 MB to the worker, and it is gone after close", async () => {
  const loaded = await transformersEmbedder(embedder).load();
  const call = () => loaded.embedDocuments(["boats keep right", "change the port of the server ".repeat(20)]);
  for (let i = 0; i < 300; i++) await call();
  const worker = childOfThis();
  const before = residentMegabytes(worker);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let mostCpuMs = 0;
  for (let i = 0; i < 3000; i++) {
    const before = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(before);
    mostCpuMs = Math.max(mostCpuMs, (user + system) / 1000);
  }
  delay.disable();
  process.stdout.write(`  processor time of this process for a call: ${mostCpuMs.toFixed(1)} ms at most\n`);
  const after = residentMegabytes(worker);
  process.stdout.write(`  worker: ${before} MB after 300 calls, ${after} MB after 3,300\n`);
  const [median, most] = [delay.percentile(50), delay.max].map((nanoseconds) => (nanoseconds / 1e6).toFixed(1));
  process.stdout.write(`  event loop of this process, at a resolution of 1 ms: median ${median} ms, most ${most} ms\n`);
  assert.ok(after - before < 150);
  // A turn of the event loop cannot take longer than all that this process does for a call.
  assert.ok(mostCpuMs < 20, `a call took ${mostCpuMs} ms of this process's processor time`);
  await loaded.close();
  assert.throws(() => process.kill(worker, 0), { code: "ESRCH" });
});

test("a model is downloaded once, and loads afterwards without the hub", async () => {
  const hub = await startHub(join(models, "embedder"));
  const cacheDirectory = join(models, "downloads");
  /** @type {string[]} */
  const seen = [];
  const options = { module, hub: hub.url, model: "tiny/embedder", cacheDirectory };
  const onProgress = (/** @type {import("../dist/index.js").ModelProgress} */ progress) => seen.push(progress.type);
  const first = await transformersEmbedder({ ...options, onProgress }).load();
  const { vectors } = await first.embedDocuments(["change the port"]);
  await first.close();
  assert.deepEqual([seen[0], seen.includes("file"), seen.at(-1)], ["download", true, "ready"]);
  await hub.close();
  const second = await transformersEmbedder({ ...options, allowDownload: false }).load();
  assert.deepEqual((await second.embedDocuments(["change the port"])).vectors, vectors);
  assert.equal(second.id, first.id);
  await second.close();
});

test("a model that is not there fails within a second, with the ways out", async () => {
  const cacheDirectory = join(models, "cache");
  const loaded = await transformersEmbedder({ module, cacheDirectory }).load();
  const begin = performance.now();
  const error = await loaded.embedQuery("port").catch((/** @type {Error} */ reason) => reason);
  const milliseconds = performance.now() - begin;
  process.stdout.write(`  ${Math.round(milliseconds)} ms: ${/** @type {Error} */ (error).message}\n`);
  assert.ok(milliseconds < 1000);
  assert.match(/** @type {Error} */ (error).message, /Three ways out: \(1\).*\(2\).*\(3\)/s);
  await loaded.close();
});

/** A server with the addresses of the hub. @param {string} folder */
async function startHub(folder) {
  const server = createServer((request, response) => {
    const name = /^\/tiny\/embedder\/resolve\/main\/(.+)$/.exec(request.url ?? "")?.[1];
    const path = name === undefined ? undefined : join(folder, name);
    if (path === undefined || !existsSync(path)) return response.writeHead(404).end();
    const bytes = readFileSync(path);
    return response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  });
  await new Promise((started) => server.listen(0, "127.0.0.1", () => started(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

function childOfThis() {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ");
  return Number(children.at(-1));
}

/** @param {number} pid */
function residentMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

process.stdout.write(`${module}\nmodel of ${size} bytes\n`);
let failures = 0;
for (const { name, body } of tests) {
  try {
    await body();
    process.stdout.write(`ok ${name}\n`);
  } catch (error) {
    failures++;
    process.stdout.write(`FAILED ${name}\n${error instanceof Error ? error.stack : error}\n`);
  }
}
rmSync(models, { recursive: true });
process.stdout.write(`${tests.length - failures} of ${tests.length}\n`);
process.exitCode = failures === 0 ? 0 : 1;
