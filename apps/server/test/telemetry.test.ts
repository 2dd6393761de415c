import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as api from "@opentelemetry/api";
import {
  AggregationTemporality,
  type HistogramMetricData,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createHttpHandler } from "../src/http-handler.js";
import { type LazyService, lazyService } from "../src/lazy-service.js";
import { createFactory } from "../src/mcp-server.js";
import { readOptions } from "../src/options.js";
import { loadTelemetry } from "../src/telemetry.js";
import { call, modernCall } from "./http-support.js";
import { indexFolder, KELP, RawServer, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();
const exporter = new InMemorySpanExporter();
const metrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({
  exporter: metrics,
  exportIntervalMillis: 1_000_000,
  exportTimeoutMillis: 1000,
});
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

let cwd: string;
/** Before anything is set up. */
let before: unknown;

beforeAll(async () => {
  cwd = folder(KELP);
  await indexFolder(cwd, "docs");
  before = await loadTelemetry(readOptions([], {}, cwd));
  api.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});
afterAll(() => {
  api.trace.disable();
  api.metrics.disable();
});
afterEach(() => exporter.reset());

interface Served {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** The server in this process, as `serve-http.ts` puts it together. */
async function serve(env: Record<string, string> = {}): Promise<Served> {
  const options = readOptions(["--http", "--port", "0"], env, cwd);
  const telemetry = await loadTelemetry(options);
  const service: LazyService = lazyService(options, telemetry);
  const { listener, mcp } = createHttpHandler(
    createFactory(options, service, (server) => telemetry?.follow(server)),
    options,
  );
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await mcp.close();
      await service.close();
    },
  };
}

/** A call of a tool that carries a context, as clients that trace send it. */
function toolCall(name: string, args: object, meta: object = {}): ReturnType<typeof modernCall> {
  const request = modernCall("tools/call", { name, arguments: args }, name);
  const body = structuredClone(request.body) as { params: { _meta: object } };
  Object.assign(body.params._meta, meta);
  return { ...request, body };
}

function spanOf(name: string | RegExp): ReadableSpan {
  const found = exporter
    .getFinishedSpans()
    .find((span) => (typeof name === "string" ? span.name === name : name.test(span.name)));
  if (found === undefined)
    throw new Error(`no span ${name} among ${exporter.getFinishedSpans().map((span) => span.name)}`);
  return found;
}

test("where nothing is set up nothing is loaded", () => {
  expect(before).toBeUndefined();
});

test("a call is a span of the trace that its request carries, the search below it, the embedding below that", async () => {
  const served = await serve();
  const meta = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "vendor=1" };
  const { body } = await call(served.port, toolCall("search", { query: "blades of kelp", limit: 3 }, meta));
  expect(JSON.parse(body).result.content[0].text).toContain("docs/kelp.md");
  const request = spanOf("tools/call search");
  expect(request.kind).toBe(api.SpanKind.SERVER);
  expect(request.spanContext().traceId).toBe(TRACE);
  expect(request.parentSpanContext).toMatchObject({ spanId: PARENT, isRemote: true });
  expect(request.spanContext().traceState?.serialize()).toBe("vendor=1");
  expect(request.attributes).toEqual({
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": "search",
    "gen_ai.operation.name": "execute_tool",
    "mcp.protocol.version": "2026-07-28",
    "jsonrpc.request.id": "1",
    "network.transport": "tcp",
  });
  const retrieval = spanOf("retrieval docsearch");
  expect(retrieval.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
  expect(retrieval.attributes).toMatchObject({
    "gen_ai.operation.name": "retrieval",
    "gen_ai.data_source.id": "docsearch",
    "gen_ai.retrieval.top_k": 3,
    "docsearch.mode": "hybrid",
    "docsearch.ms.lexical": expect.any(Number),
  });
  const embedding = spanOf(/^embeddings /);
  expect(embedding.parentSpanContext?.spanId).toBe(retrieval.spanContext().spanId);
  expect(embedding.attributes).toMatchObject({
    "gen_ai.operation.name": "embeddings",
    "gen_ai.request.model": expect.stringContaining("static"),
    "gen_ai.embeddings.dimension.count": expect.any(Number),
  });
  await served.close();
});

test("without a context each request begins a trace; errors say their type", async () => {
  const served = await serve();
  await call(served.port, modernCall("tools/list"));
  await call(served.port, toolCall("search", { query: "" }, { traceparent: "nonsense" }));
  await call(served.port, toolCall("nope", {}));
  await call(
    served.port,
    modernCall("resources/read", { uri: "docsearch://docs/none.md" }, "docsearch://docs/none.md"),
  );
  const list = spanOf("tools/list");
  expect(list.parentSpanContext).toBeUndefined();
  expect(list.status.code).toBe(api.SpanStatusCode.UNSET);
  const wrong = spanOf("tools/call search");
  expect([wrong.attributes["error.type"], wrong.status.code]).toEqual(["tool_error", api.SpanStatusCode.ERROR]);
  expect(wrong.parentSpanContext).toBeUndefined();
  expect(spanOf("tools/call nope").attributes).toMatchObject({
    "rpc.response.status_code": "-32602",
    "error.type": "-32602",
  });
  expect(spanOf("resources/read").attributes).toMatchObject({
    "mcp.resource.uri": "docsearch://docs/none.md",
    "error.type": "-32602",
  });
  await served.close();
});

test("what is asked and answered stands in spans only where the environment asks for it", async () => {
  const quiet = await serve();
  await call(quiet.port, toolCall("search", { query: "blades" }));
  await quiet.close();
  expect(JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes))).not.toMatch(/blades|kelp/);
  exporter.reset();
  const open = await serve({ DOCS_SERVER_TELEMETRY_CONTENT: "yes" });
  await call(open.port, toolCall("search", { query: "blades" }));
  await open.close();
  expect(spanOf("tools/call search").attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"query":"blades"}',
    "gen_ai.tool.call.result": expect.stringContaining("docs/kelp.md"),
  });
  const { attributes } = spanOf("retrieval docsearch");
  expect(attributes["gen_ai.retrieval.query.text"]).toBe("blades");
  expect(JSON.parse(String(attributes["gen_ai.retrieval.documents"]))[0]).toEqual({
    id: expect.any(String),
    score: expect.any(Number),
  });
});

test("the duration of each request is measured, by method and tool", async () => {
  await reader.forceFlush();
  metrics.reset();
  const served = await serve();
  for (let count = 0; count < 3; count++) await call(served.port, toolCall("list_sources", {}));
  await served.close();
  await reader.forceFlush();
  const [metric] = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(metric?.descriptor).toMatchObject({ name: "mcp.server.operation.duration", unit: "s" });
  const [point] = (metric as HistogramMetricData).dataPoints;
  expect(point?.attributes).toEqual({
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": "list_sources",
    "gen_ai.operation.name": "execute_tool",
    "mcp.protocol.version": "2026-07-28",
    "network.transport": "tcp",
  });
  expect(point?.value.count).toBe(3);
});

test("a server over stdin and stdout is followed when its process was set up before", async () => {
  const { resolve } = createRequire(import.meta.url);
  const url = (name: string): string => JSON.stringify(pathToFileURL(resolve(name)).href);
  const home = folder(KELP);
  await indexFolder(home, "docs");
  writeFiles(home, {
    "tracing.mjs": `
      import { writeFileSync } from "node:fs";
      import api from ${url("@opentelemetry/api")};
      import sdk from ${url("@opentelemetry/sdk-trace")};
      const exporter = new sdk.InMemorySpanExporter();
      const spanProcessors = [new sdk.SimpleSpanProcessor({ exporter })];
      api.trace.setGlobalTracerProvider(new sdk.TracerProvider({ spanProcessors }));
      process.on("exit", () => {
        const spans = exporter.getFinishedSpans().map(({ name, attributes, parentSpanContext, ...span }) => ({
          name, attributes, parent: parentSpanContext?.spanId, id: span.spanContext?.().spanId,
        }));
        writeFileSync(${JSON.stringify(join(home, "spans.json"))}, JSON.stringify(spans));
      });
    `,
  });
  const server = new RawServer(home, [], {}, ["--import", join(home, "tracing.mjs")]);
  await server.initialize();
  await server.answerTo(server.callTool("search", { query: "kelp" }, { traceparent: `00-${TRACE}-${PARENT}-01` }));
  expect(await server.close()).toBe(0);
  expect(server.junk).toEqual([]);
  const spans = JSON.parse(readFileSync(join(home, "spans.json"), "utf8")) as readonly {
    readonly name: string;
    readonly parent?: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  expect(spans.map(({ name }) => name.split(" static")[0])).toEqual([
    "initialize",
    expect.stringMatching(/^embeddings/),
    "retrieval docsearch",
    "tools/call search",
  ]);
  expect(spans.at(-1)).toMatchObject({
    parent: PARENT,
    attributes: { "network.transport": "pipe", "mcp.protocol.version": "2025-11-25", "jsonrpc.request.id": "2" },
  });
});
