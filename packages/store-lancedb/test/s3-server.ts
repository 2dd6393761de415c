import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface S3Server {
  readonly endpoint: string;
  /** Keys of all objects, with the name of their bucket in front. */
  readonly keys: () => readonly string[];
  /** Number of requests by method since the last call. */
  readonly takeCounts: () => Readonly<Record<string, number>>;
  readonly close: () => Promise<void>;
}

/**
 * An object store in memory that takes the requests LanceDB makes of S3, for any bucket and key. It honours
 * `If-None-Match: *`, on which commits of several writers rely.
 */
export async function startS3Server(accessKeyId: string): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  let counts: Record<string, number> = {};
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const url = new URL(request.url ?? "", "http://localhost");
    const key = decodeURIComponent(url.pathname.slice(1));
    const method = request.method ?? "";
    counts[method] = (counts[method] ?? 0) + 1;
    if (!request.headers.authorization?.includes(`Credential=${accessKeyId}/`)) {
      return fail(response, 403, "InvalidAccessKeyId");
    }
    const { searchParams: query } = url;
    if (method === "GET" && query.has("list-type")) return list(response, key.replace(/\/$/, ""), query);
    if (method === "POST" && query.has("delete")) {
      const names = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map(([, name]) => name!);
      for (const name of names) objects.delete(`${key.replace(/\/$/, "")}/${unescapeXml(name)}`);
      const deleted = names.map((name) => `<Deleted><Key>${name}</Key></Deleted>`);
      return xml(response, `<DeleteResult>${deleted.join("")}</DeleteResult>`);
    }
    if (method === "POST" && query.has("uploads")) {
      const id = String(uploads.size + 1);
      uploads.set(id, new Map());
      return xml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const upload = uploads.get(query.get("uploadId") ?? "");
    if (method === "PUT" && upload !== undefined) {
      upload.set(Number(query.get("partNumber")), body);
      return response.writeHead(200, { etag: etag(body) }).end();
    }
    if (method === "POST" && upload !== undefined) {
      const uploaded = [...upload].sort(([a], [b]) => a - b).map(([, part]) => part);
      return put(request, response, key, Buffer.concat(uploaded), true);
    }
    if (method === "PUT") {
      const source = request.headers["x-amz-copy-source"];
      const copied = source === undefined ? body : objects.get(decodeURIComponent(String(source)).replace(/^\//, ""));
      if (copied === undefined) return fail(response, 404, "NoSuchKey");
      return put(request, response, key, copied, source !== undefined);
    }
    if (method === "DELETE") {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    return get(request, response, key, method === "HEAD");
  }

  function put(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    body: Buffer,
    isXml: boolean,
  ): ServerResponse {
    if (request.headers["if-none-match"] === "*" && objects.has(key)) return fail(response, 412, "PreconditionFailed");
    objects.set(key, body);
    if (isXml)
      return xml(response, `<CompleteMultipartUploadResult><ETag>${etag(body)}</ETag></CompleteMultipartUploadResult>`);
    return response.writeHead(200, { etag: etag(body) }).end();
  }

  function get(request: IncomingMessage, response: ServerResponse, key: string, isHead: boolean): ServerResponse {
    const object = objects.get(key);
    if (object === undefined) return fail(response, 404, "NoSuchKey");
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const start = from ? Number(from) : to ? Math.max(0, object.length - Number(to)) : 0;
    const end = from && to ? Math.min(object.length, Number(to) + 1) : object.length;
    const headers = { etag: etag(object), "last-modified": new Date(0).toUTCString(), "content-length": end - start };
    if (request.headers.range === undefined) response.writeHead(200, headers);
    else response.writeHead(206, { ...headers, "content-range": `bytes ${start}-${end - 1}/${object.length}` });
    return response.end(isHead ? undefined : object.subarray(start, end));
  }

  function list(response: ServerResponse, bucket: string, query: URLSearchParams): ServerResponse {
    const prefix = query.get("prefix") ?? "";
    const delimiter = query.get("delimiter") ?? "";
    const after = query.get("continuation-token") ?? query.get("start-after") ?? "";
    const folders = new Set<string>();
    const found: string[] = [];
    for (const full of [...objects.keys()].sort()) {
      if (!full.startsWith(`${bucket}/${prefix}`)) continue;
      const key = full.slice(bucket.length + 1);
      const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
      if (at >= 0) folders.add(key.slice(0, at + 1));
      else if (key > after) found.push(key);
    }
    const contents = found.map((key) => {
      const object = objects.get(`${bucket}/${key}`)!;
      return `<Contents><Key>${escapeXml(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${etag(object)}</ETag><Size>${object.length}</Size></Contents>`;
    });
    const prefixes = [...folders].map(
      (folder) => `<CommonPrefixes><Prefix>${escapeXml(folder)}</Prefix></CommonPrefixes>`,
    );
    return xml(
      response,
      `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}${prefixes.join("")}</ListBucketResult>`,
    );
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => [...objects.keys()],
    takeCounts: () => {
      const taken = counts;
      counts = {};
      return taken;
    },
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function etag(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function xml(response: ServerResponse, body: string): ServerResponse {
  return response
    .writeHead(200, { "content-type": "application/xml" })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${body}`);
}

function fail(response: ServerResponse, status: number, code: string): ServerResponse {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return response.writeHead(status, { "content-type": "application/xml" }).end(body);
}
