import type { Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { DrainingTransport } from "./draining-transport.js";
import { lazyService } from "./lazy-service.js";
import { createFactory } from "./mcp-server.js";
import type { ServerOptions } from "./options.js";
import { loadTelemetry } from "./telemetry.js";

/** After the input has ended: for calls under way, and then for what waits for an index job, in milliseconds. */
const DRAIN_MS = 1500;
/** When everything is closed, native code gets so long to let go. */
const LINGER_MS = 1000;

/** Serves one client over stdin and `wire`; resolves when it is gone and everything is closed. */
export async function serveOverStdio(options: ServerOptions, wire: Writable): Promise<void> {
  const telemetry = await loadTelemetry(options);
  const service = lazyService(options, telemetry);
  const transport = new DrainingTransport(process.stdin, wire);
  const ended = new Promise<void>((resolve) => {
    transport.ended = resolve;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
    wire.once("error", () => resolve());
  });
  const factory = createFactory(options, service, (server) => {
    telemetry?.follow(server);
    service.onIndexed = () => {
      if (server.isConnected()) server.sendResourceListChanged();
    };
  });
  const handle = serveStdio(factory, {
    transport,
    onerror: (error) => process.stderr.write(`docsearch-mcp: ${error.message}\n`),
  });
  service.watch();
  await ended;
  await transport.drain(DRAIN_MS);
  service.stopWaiting();
  await transport.drain(DRAIN_MS);
  await handle.close();
  await service.close();
  process.stdin.destroy();
  // The loop is empty now, unless something native still holds it.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
