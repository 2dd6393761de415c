import type { Docsearch, Registry } from "@docsearch/core";
import type { McpServer } from "@modelcontextprotocol/server";
import type { ServerOptions } from "./options.js";

/** Spans and metrics of OpenTelemetry, for a process that has set it up. */
export interface Telemetry {
  /** Follows each request of a server, from when it comes in to its answer. */
  follow(server: McpServer): void;
  /** The registry with embedders that are followed. */
  registry(inner: Registry): Registry;
  /** The index with searches that are followed. */
  docsearch(inner: Docsearch): Docsearch;
}

/** Of the key under which every version of the API keeps what was set up. */
const API_KEY = "opentelemetry.js.api.";

/**
 * What follows this server, when the process has set OpenTelemetry up before, as `node --import ./tracing.mjs` does.
 * Otherwise nothing is looked for and nothing imported.
 */
export async function loadTelemetry(options: ServerOptions): Promise<Telemetry | undefined> {
  const keys = Object.getOwnPropertySymbols(globalThis);
  if (!keys.some(({ description }) => description?.startsWith(API_KEY))) return undefined;
  try {
    const [api, { createTelemetry }] = await Promise.all([import("@opentelemetry/api"), import("./open-telemetry.js")]);
    return createTelemetry(api, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`docsearch-mcp: no telemetry: @opentelemetry/api cannot be loaded: ${reason}\n`);
    return undefined;
  }
}
