import { isPlain, plainNames, type Service, shownPath, sourceNames } from "@docsearch/service";
import { parseInput } from "@docsearch/service/schemas";
import { type DocumentRecord, isDocsearchError } from "@docsearch/spec";
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { decodeCursor, encodeCursor } from "./cursor.js";
import type { LazyService } from "./lazy-service.js";
import type { ServerOptions } from "./options.js";
import { parseResourceUri, resourceUri } from "./resource-uri.js";
import { describeError } from "./tool-errors.js";

const PAGE = 100;
const COMPLETIONS = 100;
/** Characters of a document that are read at once; behind them stands how to go on. */
const MOST = 40_000;

/** A resource for each source, listed page by page, and templates for sources and documents. */
export function registerResources(server: McpServer, options: ServerOptions, lazy: LazyService): void {
  const read = (uri: URL): Promise<ResourceText> => told(options, () => readResource(lazy, uri.href));
  const completeSource = async (value: string): Promise<string[]> =>
    completions(await told(options, () => names(lazy)), value);
  server.registerResource(
    "document",
    new ResourceTemplate("docsearch://{source}/{+path}", {
      list: undefined,
      complete: {
        source: completeSource,
        path: (value, context) => told(options, () => completePath(lazy, value, context?.arguments?.source)),
      },
    }),
    { title: "Indexed document", description: "A document; #L10-L42 for lines.", mimeType: "text/plain" },
    read,
  );
  server.registerResource(
    "source",
    new ResourceTemplate("docsearch://{source}", { list: undefined, complete: { source: completeSource } }),
    { title: "Indexed source", description: "The documents of a source.", mimeType: "text/plain" },
    read,
  );
  // The SDK would list everything at once.
  server.server.setRequestHandler("resources/list", async ({ params }) => {
    const all = await told(options, () => names(lazy));
    const after = params?.cursor === undefined ? "" : cursorOf(params.cursor);
    const rest = all.filter((name) => name > after);
    const page = rest.slice(0, PAGE);
    const last = page.at(-1);
    return {
      resources: page.map((name) => ({ uri: resourceUri(name), name, mimeType: "text/plain" })),
      ...(rest.length > PAGE && last !== undefined && { nextCursor: encodeCursor(last) }),
    };
  });
}

function cursorOf(cursor: string): string {
  const after = decodeCursor(cursor);
  if (after === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "the cursor is not one of this server; list from the beginning",
    );
  }
  return after;
}

/** Runs `body`; what fails is said as a failed tool would say it. */
async function told<T>(options: ServerOptions, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, describeError(error, options));
  }
}

/**
 * Names that are plain words, in code unit order: a list of resources is no quotation. `list_sources` has the others. An
 * index that is not there has none.
 */
async function names(lazy: LazyService): Promise<string[]> {
  const service = await lazy.get();
  try {
    return await service.withIndex(async (docsearch) => plainNames(await sourceNames(docsearch, {})));
  } catch (error) {
    if (isDocsearchError(error, "INDEX_MISSING")) return [];
    throw error;
  }
}

async function completePath(lazy: LazyService, value: string, source: string | undefined): Promise<string[]> {
  const service = await lazy.get();
  return service.withIndex(async (docsearch) => {
    const prefix = { op: "prefix", field: "path", value } as const;
    const within = source === undefined ? [] : [{ op: "in", field: "collection", values: [source] } as const];
    const found = await docsearch.listDocuments({
      limit: COMPLETIONS,
      filter: { op: "and", clauses: [prefix, ...within] },
    });
    return found.map(shownPath).filter(isPlain);
  });
}

function completions(values: readonly string[], prefix: string): string[] {
  return values.filter((value) => value.startsWith(prefix)).slice(0, COMPLETIONS);
}

type ResourceText = { contents: { uri: string; mimeType: string; text: string }[] };

async function readResource(lazy: LazyService, uri: string): Promise<ResourceText> {
  const name = parseResourceUri(uri);
  if (name === undefined) throw new ResourceNotFoundError(uri);
  const { source, path } = name;
  const service = await lazy.get();
  try {
    if (path === "") return textOf(uri, (await service.outline({ source, depth: 1, offset: 0, max_chars: MOST })).text);
    await requireDocument(service, source, path, uri);
    const { text, data } = await service.read(parseInput("read", { path, max_chars: MOST }));
    return textOf(uri, data.totalLines === 0 ? "" : text);
  } catch (error) {
    if (isDocsearchError(error, "NOT_FOUND") || isDocsearchError(error, "CONFIG_INVALID")) {
      throw new ResourceNotFoundError(uri);
    }
    throw error;
  }
}

/** The document must be of the source that the URI names. */
async function requireDocument(service: Service, source: string, path: string, uri: string): Promise<void> {
  const plain = path.replace(/#L\d+(-L?\d+)?$/, "");
  const found = await service.withIndex(async (docsearch): Promise<DocumentRecord | undefined> => {
    const exact = await docsearch.getDocument(path);
    return exact ?? docsearch.getDocument(plain);
  });
  if (found?.collection !== source) throw new ResourceNotFoundError(uri);
}

function textOf(uri: string, text: string): ResourceText {
  return { contents: [{ uri, mimeType: "text/plain", text }] };
}
