import { escapeLine, findDocument, type Service, shownPath } from "@docsearch/service";
import { parseInput } from "@docsearch/service/schemas";
import type { CallOptions, DocumentRecord } from "@docsearch/spec";
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { LazyService } from "./lazy-service.js";
import type { ServerOptions } from "./options.js";
import { resourceUri } from "./resource-uri.js";
import { describeError } from "./tool-errors.js";

const ANNOTATIONS = { readOnlyHint: true, openWorldHint: false };
const RESULTS = 10;
const MOST = 40_000;

const resultSchema = z.object({ id: z.string(), title: z.string(), url: z.string() });
const searchOutput = z.object({ results: z.array(resultSchema) });
const fetchOutput = resultSchema.extend({ text: z.string(), metadata: z.record(z.string(), z.string()).optional() });

/** The two tools of ChatGPT's contract. The object comes as it is and as one JSON string. */
export function registerChatgptTools(server: McpServer, options: ServerOptions, lazy: LazyService): void {
  const guarded = async (
    { mcpReq: { signal } }: ServerContext,
    body: (service: Service, call: CallOptions) => Promise<object>,
  ): Promise<CallToolResult> => {
    try {
      const data = await body(await lazy.get(), { signal });
      return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: { ...data } };
    } catch (error) {
      signal.throwIfAborted();
      return { content: [{ type: "text", text: describeError(error, options) }], isError: true };
    }
  };
  server.registerTool(
    "search",
    {
      description: "Search the indexed documents. Gives ids for fetch.",
      inputSchema: z.strictObject({ query: z.string().min(1).max(2000).describe("What to look for") }),
      outputSchema: searchOutput,
      annotations: ANNOTATIONS,
    },
    ({ query }, context) => guarded(context, (service, call) => search(service, query, options, call)),
  );
  server.registerTool(
    "fetch",
    {
      description: "The text of a document that search found.",
      inputSchema: z.strictObject({ id: z.string().min(1).max(1000).describe("Id from search") }),
      outputSchema: fetchOutput,
      annotations: ANNOTATIONS,
    },
    ({ id }, context) => guarded(context, (service, call) => fetchDocument(service, id, options, call)),
  );
}

async function search(
  service: Service,
  query: string,
  options: ServerOptions,
  call: CallOptions,
): Promise<z.infer<typeof searchOutput>> {
  const documents = await service.findDocuments(query, RESULTS, call);
  return { results: documents.map((document) => describe(document, options)) };
}

async function fetchDocument(
  service: Service,
  id: string,
  options: ServerOptions,
  call: CallOptions,
): Promise<z.infer<typeof fetchOutput>> {
  const { data } = await service.read(parseInput("read", { path: id, max_chars: MOST }), call);
  const { document } = await service.withIndex((docsearch) => findDocument(docsearch, id, call));
  const named = describe(document, options);
  const next = data.nextLine === undefined ? {} : { next: `${data.path}:${data.nextLine}-${data.totalLines}` };
  const metadata = { source: data.source, lines: `${data.startLine}-${data.endLine} of ${data.totalLines}`, ...next };
  return { ...named, id, text: data.text, metadata };
}

function describe(document: DocumentRecord, { publicUrl }: ServerOptions): z.infer<typeof resultSchema> {
  const path = shownPath(document);
  const url =
    document.url ?? (publicUrl === undefined ? resourceUri(document.collection, path) : publicUrl + encodedPath(path));
  return { id: escapeLine(path), title: escapeLine(document.title ?? path), url };
}

function encodedPath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
