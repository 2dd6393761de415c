import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler } from "./http-handler.js";
import { lazyService } from "./lazy-service.js";
import { createFactory } from "./mcp-server.js";
import type { ServerOptions } from "./options.js";
import { loadTelemetry } from "./telemetry.js";

/** Requests under way get so long when the server is told to end, in milliseconds. */
const DRAIN_MS = 2000;

/** Serves over HTTP until a signal ends it; says on stderr where it listens. Rejects when the port is taken. */
export async function serveHttp(options: ServerOptions): Promise<void> {
  const telemetry = await loadTelemetry(options);
  const service = lazyService(options, telemetry);
  const factory = createFactory(options, service, (made) => telemetry?.follow(made));
  const { listener, mcp } = createHttpHandler(factory, options);
  service.onIndexed = () => mcp.notify.resourcesChanged();
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, listener);
  server.listen(options.port, options.host);
  await once(server, "listening");
  const { address, port, family } = server.address() as AddressInfo;
  const host = family === "IPv6" ? `[${address}]` : address;
  process.stderr.write(
    `docsearch-mcp: listening on http://${host}:${port}/mcp${options.readOnly ? ", read-only" : ""}\n`,
  );
  service.watch();

  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  service.stopWaiting();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await mcp.close();
  await closed;
  clearTimeout(timer);
  await service.close();
  setTimeout(() => process.exit(), 1000).unref();
}
