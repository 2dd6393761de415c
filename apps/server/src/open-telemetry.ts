import type { Docsearch, Registry, SearchRequest } from "@docsearch/core";
import type * as Api from "@opentelemetry/api";
import { RequestSpans, type SpanOptions } from "./request-spans.js";
import type { Telemetry } from "./telemetry.js";
import { version } from "./version.js";
import { wrapEmbedder } from "./wrap-embedder.js";

const NAME = "docsearch-mcp";

/** Names follow the semantic conventions for MCP and for generative AI; queries and answers are left out by default. */
export function createTelemetry(api: typeof Api, options: SpanOptions): Telemetry {
  const tracer = api.trace.getTracer(NAME, version());
  const requests = new RequestSpans(api, tracer, api.metrics.getMeter(NAME, version()), options);
  const within: Within = async (name, attributes, body) => {
    const context = requests.context();
    const span = tracer.startSpan(name, { kind: api.SpanKind.INTERNAL, attributes }, context);
    try {
      return await requests.run(api.trace.setSpan(context, span), () => body(span));
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    follow: (server) => requests.follow(server),
    registry: (inner) => followQueries(inner, within),
    docsearch: (inner) => followSearch(inner, within, options.telemetryContent),
  };
}

type Within = <T>(name: string, attributes: Api.Attributes, body: (span: Api.Span) => Promise<T>) => Promise<T>;

function followSearch(inner: Docsearch, within: Within, withContent: boolean): Docsearch {
  const search = (request: SearchRequest): ReturnType<Docsearch["search"]> => {
    const { query, limit = 10, mode = "hybrid" } = request;
    const attributes: Api.Attributes = {
      "gen_ai.operation.name": "retrieval",
      "gen_ai.data_source.id": "docsearch",
      "gen_ai.retrieval.top_k": limit,
      "docsearch.mode": mode,
      ...(withContent && { "gen_ai.retrieval.query.text": query }),
    };
    return within("retrieval docsearch", attributes, async (span) => {
      const response = await inner.search(request);
      const { results, timings } = response;
      span.setAttribute("docsearch.results", results.length);
      for (const [stage, milliseconds] of Object.entries(timings))
        span.setAttribute(`docsearch.ms.${stage}`, milliseconds);
      if (withContent) {
        const documents = results.map(({ chunk: { id }, score }) => ({ id, score }));
        span.setAttribute("gen_ai.retrieval.documents", JSON.stringify(documents));
      }
      return response;
    });
  };
  return { ...inner, search };
}

/** Documents are embedded in another thread, where nobody follows. */
function followQueries(inner: Registry, within: Within): Registry {
  return wrapEmbedder(inner, {
    query: ({ id, dimensions }, embed) => {
      const attributes: Api.Attributes = {
        "gen_ai.operation.name": "embeddings",
        "gen_ai.request.model": id,
        "gen_ai.embeddings.dimension.count": dimensions,
      };
      return within(`embeddings ${id}`, attributes, embed);
    },
  });
}
