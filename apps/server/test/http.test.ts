import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readOptions } from "../src/options.js";
import { call, type HttpServer, modernCall, startHttp } from "./http-support.js";
import { indexFolder, KELP, RawServer, temporaryFolders } from "./support.js";

const folder = temporaryFolders();
const TOKEN = "a-token-of-enough-length";

let open: HttpServer;
let locked: HttpServer;

beforeAll(async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd);
  open = await startHttp(cwd);
  locked = await startHttp(cwd, [], { DOCS_SERVER_TOKEN: TOKEN, DOCS_SERVER_ALLOWED_HOSTS: "docs.example.com" });
});

afterAll(async () => {
  expect(await open.stop()).toBe(0);
  expect(await locked.stop()).toBe(0);
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "0" } },
};
const legacyList = { body: { jsonrpc: "2.0", id: 2, method: "tools/list" } };
const PAGES = 50;
/** Pages that hold one word each that no other has. */
const TOKEN_PAGES = Object.fromEntries(
  Array.from({ length: PAGES }, (_, page) => [`docs/${page}.md`, `# Page\n\nAbout token${page}x alone.\n`]),
);

/** Chunk ids by page. */
async function chunkIds(port: number): Promise<readonly string[]> {
  const ids = Array.from({ length: PAGES }, async (_, page) => {
    const args = { query: `token${page}x`, limit: 1 };
    const { body } = await call(port, modernCall("tools/call", { name: "search", arguments: args }, "search"));
    return /\(id (\S+), score/.exec(JSON.parse(body).result.content[0].text)?.[1] ?? "";
  });
  return Promise.all(ids);
}

function readerCall(page: number, kind: number, ids: readonly string[]): readonly [string, object] {
  if (kind === 0) return ["search", { query: `"token${page}x"`, limit: 1 }];
  if (kind === 1) return ["read", { path: `docs/${page}.md` }];
  if (kind === 2) return ["get_chunk", { chunk_id: ids[page] }];
  return ["search", { query: `token${page}x`, path: `docs/${page}.md`, mode: "keyword" }];
}

function tokensIn(text: string): string[] {
  return [...new Set(text.match(/token\d+x/g))];
}

/** The message of a body, which may be a stream of events. */
function messageOf(body: string): {
  readonly id: string;
  readonly result: { readonly content: readonly [{ readonly text: string }] };
} {
  return JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body);
}

const PATHS = ["/mcp", "/healthz", "/search", "/"];

test("it listens on loopback", () => {
  expect(open.stderr()).toContain(`listening on http://127.0.0.1:${open.port}/mcp, read-only`);
});

test.each(PATHS)(
  "ht-host-and-origin: a foreign Host or Origin is refused at %s, before anything else",
  async (path) => {
    for (const server of [open, locked]) {
      for (const headers of [
        { host: "evil.example.test" },
        { host: `evil.example.test:${server.port}` },
        { host: "127.0.0.1.evil.example.test" },
        { host: "localhost@evil.example.test" },
        { origin: "https://evil.example.test" },
        { origin: "null" },
        { origin: "file://localhost" },
        { origin: "http://127.0.0.1.evil.example.test" },
      ]) {
        const answer = await call(server.port, { path, headers, body: "not even JSON" });
        expect([headers, answer.status]).toEqual([headers, 403]);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
  },
);

test("more than one Host is refused, whichever comes first", async () => {
  const ours = `localhost:${open.port}`;
  for (const hosts of [
    [ours, "evil.example.test"],
    ["evil.example.test", ours],
  ]) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(open.port, "127.0.0.1", () => {
        socket.end(`GET /healthz HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join("")}\r\n`);
      });
      socket.setEncoding("utf8").once("data", resolve).once("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test("our own names are served", async () => {
  for (const headers of [
    { host: `localhost:${open.port}` },
    { host: `127.0.0.1:${open.port}`, origin: `http://127.0.0.1:${open.port}` },
    { host: `[::1]:${open.port}` },
    { host: `LOCALHOST:${open.port}` },
    { origin: "http://localhost:3000" },
  ]) {
    const list = modernCall("tools/list");
    expect((await call(open.port, { ...list, headers: { ...list.headers, ...headers } })).status).toBe(200);
    expect((await call(open.port, { path: "/healthz", method: "GET", headers })).status).toBe(200);
    expect((await call(open.port, { path: "/search", method: "GET", headers })).status).toBe(404);
  }
});

test("the token: missing, wrong, right, and on each route but /healthz", async () => {
  const list = modernCall("tools/list");
  const withToken = (authorization: string) => ({ ...list, headers: { ...list.headers, authorization } });
  const missing = await call(locked.port, list);
  expect([missing.status, missing.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="docsearch"']);
  for (const wrong of ["", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `bearer ${TOKEN}`, TOKEN]) {
    expect((await call(locked.port, withToken(wrong))).status).toBe(401);
  }
  expect((await call(locked.port, withToken(`Bearer ${TOKEN}`))).status).toBe(200);
  expect((await call(locked.port, { path: "/other", method: "GET" })).status).toBe(401);
  expect((await call(locked.port, { path: "/healthz", method: "GET" })).body).toBe('{"status":"ok"}');
  const named = { ...withToken(`Bearer ${TOKEN}`) };
  expect((await call(locked.port, { ...named, headers: { ...named.headers, host: "docs.example.com" } })).status).toBe(
    200,
  );
});

test("without a token it is read-only, with one it is not", async () => {
  const names = async (server: HttpServer, headers: object): Promise<string[]> => {
    const list = modernCall("tools/list");
    const { body } = await call(server.port, { ...list, headers: { ...list.headers, ...headers } });
    return JSON.parse(body).result.tools.map(({ name }: { readonly name: string }) => name);
  };
  expect(await names(open, {})).not.toContain("index_path");
  expect(await names(locked, { authorization: `Bearer ${TOKEN}` })).toContain("index_path");
  const write = modernCall("tools/call", { name: "remove_source", arguments: { source: "." } }, "remove_source");
  expect(JSON.parse((await call(open.port, write)).body).error).toMatchObject({ code: -32602 });
});

test("ht-session-ids: the server keeps no sessions and ignores their ids", async () => {
  const stale = { "mcp-session-id": "11111111-2222-3333-4444-555555555555" };
  for (const headers of [{}, stale]) {
    const listed = await call(open.port, { ...legacyList, headers });
    expect(listed.status).toBe(200);
    expect(listed.headers["mcp-session-id"]).toBeUndefined();
  }
  expect((await call(open.port, { body: initialize, headers: stale })).status).toBe(200);
});

test.each([
  ["a method that is not there", modernCall("no/such"), 404, -32601],
  [
    "a method that the header does not name",
    { ...modernCall("tools/list"), headers: { ...modernCall("tools/list").headers, "mcp-method": "tools/call" } },
    400,
    -32020,
  ],
  ["half a body", { ...modernCall("tools/list"), body: "{" }, 400, -32700],
  [
    "another content type",
    { ...modernCall("tools/list"), headers: { ...modernCall("tools/list").headers, "content-type": "text/plain" } },
    415,
    -32000,
  ],
  ["TRACE", { method: "TRACE" }, 405, -32000],
  ["OPTIONS", { method: "OPTIONS" }, 405, -32000],
  ["a write to /healthz", { path: "/healthz", method: "DELETE" }, 405, -32000],
  ["GET", { method: "GET" }, 405, -32000],
  ["DELETE", { method: "DELETE" }, 405, -32000],
] as const)("%s", async (_, request, status, code) => {
  const answer = await call(open.port, request);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body).error.code).toBe(code);
});

test("a body that is too large is refused unread, announced or not", async () => {
  const list = modernCall("tools/list");
  const large = { ...list, body: { ...(list.body as object), pad: "x".repeat(1_100_000) } };
  const announced = await call(open.port, large).catch((error: NodeJS.ErrnoException) => ({ status: error.code }));
  expect([413, "EPIPE", "ECONNRESET"]).toContain(announced.status);
  const chunked = { ...large, headers: { ...large.headers, "transfer-encoding": "chunked" } };
  const unannounced = await call(open.port, chunked).catch((error: NodeJS.ErrnoException) => ({ status: error.code }));
  expect([413, "EPIPE", "ECONNRESET"]).toContain(unannounced.status);
  expect((await call(open.port, list)).status).toBe(200);
});

test("200 calls at a time, of all readers and both eras, each with its own answer", async () => {
  const cwd = folder(TOKEN_PAGES);
  await indexFolder(cwd, "docs");
  const server = await startHttp(cwd);
  const ids = await chunkIds(server.port);
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const page = index % PAGES;
      const [name, args] = readerCall(page, index % 4, ids);
      const modern = modernCall("tools/call", { name, arguments: args }, name);
      const legacy = { body: { jsonrpc: "2.0", method: "tools/call", params: { name, arguments: args } }, headers: {} };
      const { body, headers } = index % 2 === 0 ? modern : legacy;
      const answer = await call(server.port, {
        headers: headers ?? {},
        body: { ...(body as object), id: `call-${index}` },
      });
      return { index, page, answer: messageOf(answer.body) };
    }),
  );
  for (const { index, page, answer } of answers) {
    expect(answer.id).toBe(`call-${index}`);
    expect([index, tokensIn(answer.result.content[0].text)]).toEqual([index, [`token${page}x`]]);
  }
  expect(await server.stop()).toBe(0);
});

test("beyond loopback a token is required, and must be long enough", async () => {
  expect(() => readOptions(["--http", "--host", "0.0.0.0"], {}, "/")).toThrow(
    "0.0.0.0 can be reached from other machines",
  );
  expect(() => readOptions(["--http"], { DOCS_SERVER_HOST: "192.168.1.2" }, "/")).toThrow("DOCS_SERVER_TOKEN");
  expect(() => readOptions(["--http"], { DOCS_SERVER_TOKEN: "short" }, "/")).toThrow("at least 16 characters");
  expect(readOptions(["--http", "--host", "0.0.0.0"], { DOCS_SERVER_TOKEN: TOKEN }, "/")).toMatchObject({
    host: "0.0.0.0",
    readOnly: false,
    allowedHosts: [],
  });
  const refused = new RawServer(folder(), ["--http", "--host", "0.0.0.0"]);
  expect(await refused.exited).toEqual({ code: 2, signal: null });
  expect(refused.stderr).toContain("docsearch-mcp: DOCS_SERVER_TOKEN");
});

test("a port that is taken, an option that is none", async () => {
  const taken = new RawServer(folder(), ["--http", "--port", String(open.port)]);
  expect((await taken.exited).code).toBe(2);
  expect(taken.stderr).toContain("EADDRINUSE");
  const unknown = new RawServer(folder(), ["--sse"]);
  expect((await unknown.exited).code).toBe(2);
  expect(unknown.stderr).toBe("docsearch-mcp: Unknown option '--sse' (see docsearch-mcp --help)\n");
});
