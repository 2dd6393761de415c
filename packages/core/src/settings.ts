import type { Env } from "@docsearch/spec";

/** One setting of the environment. The table below is the only place that names them. */
export interface Setting {
  readonly variable: string;
  /** Command-line flag of the same meaning, without dashes; absent where only the environment sets it. */
  readonly flag?: string;
  readonly kind: "string" | "integer" | "number" | "choice";
  /** For `choice`. A backend may also be a module specifier: see `docs/guide/custom-store.md`. */
  readonly choices?: readonly string[];
  /** For numbers: the least value. */
  readonly least?: number;
  /** As it would be written in the environment; absent when unset means something of its own. */
  readonly fallback?: string;
  readonly description: string;
}

export const SETTINGS: readonly Setting[] = [
  {
    variable: "DOCS_STORE_BACKEND",
    flag: "store",
    kind: "string",
    fallback: "sqlite",
    description:
      "Store: sqlite, pgvector, lancedb, memory, or a module specifier (contains `/` or starts with `@`, `.` or `file:`).",
  },
  {
    variable: "DOCS_STORE_URL",
    flag: "store-url",
    kind: "string",
    description:
      "Where the store is, passed to it as it is: a path or a DSN. For sqlite `.docsearch/index.db`; for pgvector " +
      "`postgres://user:password@host:5432/database`, a folder (`.docsearch/pgdata`) or memory://; for lancedb a folder " +
      "(`.docsearch/lancedb`) or s3://bucket/prefix.",
  },
  {
    variable: "DOCS_EMBEDDER_BACKEND",
    flag: "embedder",
    kind: "string",
    fallback: "static",
    description:
      "Embedding model: static (ships with docsearch), transformers (larger models on this machine), openai (any server " +
      "with the API of OpenAI or Ollama), none (keywords only), or a module specifier.",
  },
  {
    variable: "DOCS_EMBEDDER_MODEL",
    flag: "embedder-model",
    kind: "string",
    description:
      "Model of the embedder. static: a folder with another table in the same format; transformers: a name on the hub " +
      "or a folder; openai: a name that the server knows.",
  },
  {
    variable: "DOCS_EMBEDDER_URL",
    flag: "embedder-url",
    kind: "string",
    description: "openai: the API, such as http://localhost:11434/v1. Default: that of OpenAI, when there is a key.",
  },
  {
    variable: "DOCS_EMBEDDER_API_KEY",
    kind: "string",
    description: "openai: the key. At OpenAI itself `OPENAI_API_KEY` does as well.",
  },
  {
    variable: "DOCS_EMBEDDER_DIMENSIONS",
    flag: "embedder-dimensions",
    kind: "integer",
    least: 1,
    description: "openai: length of the vectors to ask for. Default: the model's own.",
  },
  {
    variable: "DOCS_EMBEDDER_QUERY_PREFIX",
    kind: "string",
    description:
      "openai, transformers: put before each query; `none` for nothing. Default: what the model learnt with.",
  },
  {
    variable: "DOCS_EMBEDDER_DOCUMENT_PREFIX",
    kind: "string",
    description: "openai, transformers: put before each text; `none` for nothing. Default: what the model learnt with.",
  },
  {
    variable: "DOCS_EMBEDDER_MAX_TOKENS",
    kind: "integer",
    least: 1,
    description: "openai, transformers: longer texts are cut. Default: what the model takes, where that is known.",
  },
  {
    variable: "DOCS_EMBEDDER_BATCH_SIZE",
    kind: "integer",
    least: 1,
    description: "openai: most texts in a request. Default 64.",
  },
  {
    variable: "DOCS_EMBEDDER_CONCURRENCY",
    kind: "integer",
    least: 1,
    description: "openai: requests at a time. Default 2.",
  },
  {
    variable: "DOCS_EMBEDDER_TIMEOUT_MS",
    kind: "integer",
    least: 1,
    description: "openai: time of one try of a request, in milliseconds. Default 60000.",
  },
  {
    variable: "DOCS_EMBEDDER_ALLOW_HTTP",
    kind: "choice",
    choices: ["yes", "no"],
    fallback: "no",
    description: "openai: whether texts and key may go to another machine unencrypted.",
  },
  {
    variable: "DOCS_EMBEDDER_POOLING",
    kind: "choice",
    choices: ["mean", "cls", "last", "sentence_embedding"],
    description: "transformers: how token vectors become one. Default: what the model learnt with, else mean.",
  },
  {
    variable: "DOCS_MODEL_DTYPE",
    kind: "string",
    description: "transformers: number format of the model: q8, fp32, fp16, q4 and others. Default q8.",
  },
  {
    variable: "DOCS_MODEL_DEVICE",
    kind: "string",
    description: "transformers: cpu, cuda, dml, coreml or webgpu. Default cpu.",
  },
  {
    variable: "DOCS_MODEL_THREADS",
    kind: "integer",
    least: 1,
    description: "transformers: threads of the processor. Default: half of those there are, at most 8.",
  },
  {
    variable: "DOCS_MODEL_CACHE",
    kind: "string",
    description: "transformers: folder of downloaded models. Default `~/.cache/docsearch/models`.",
  },
  {
    variable: "DOCS_MODEL_DOWNLOAD",
    kind: "choice",
    choices: ["yes", "no"],
    fallback: "yes",
    description: "transformers: whether a model that is not on this machine may be downloaded.",
  },
  {
    variable: "DOCS_RERANKER_BACKEND",
    flag: "reranker",
    kind: "string",
    fallback: "none",
    description:
      "Second look at the best results: http (Cohere, Jina, Voyage, TEI), transformers, none, or a module specifier.",
  },
  {
    variable: "DOCS_RERANKER_TOP_N",
    flag: "rerank-top",
    kind: "integer",
    least: 1,
    fallback: "30",
    description: "So many of the best results are scored by the reranker.",
  },
  {
    variable: "DOCS_RERANKER_BUDGET_MS",
    kind: "integer",
    least: 1,
    fallback: "3000",
    description: "Milliseconds that a search waits for the reranker; then the order stays as it was.",
  },
  {
    variable: "DOCS_RERANKER_MODEL",
    flag: "reranker-model",
    kind: "string",
    description: "Model of the reranker.",
  },
  {
    variable: "DOCS_RERANKER_DIALECT",
    kind: "choice",
    choices: ["cohere", "jina", "voyage", "tei"],
    description: "http: the protocol of the server.",
  },
  {
    variable: "DOCS_RERANKER_URL",
    kind: "string",
    description: "http: address of the server. Default, when there is a key: that of the dialect's maker.",
  },
  {
    variable: "DOCS_RERANKER_API_KEY",
    kind: "string",
    description: "http: key of the server.",
  },
  {
    variable: "DOCS_RERANKER_MAX_TOKENS",
    kind: "integer",
    least: 1,
    description: "Most tokens of a query and a text together; longer texts are cut.",
  },
  {
    variable: "DOCS_RERANKER_TIMEOUT_MS",
    kind: "integer",
    least: 1,
    description: "http: time of one try of a request, in milliseconds.",
  },
  {
    variable: "DOCS_RERANKER_ALLOW_HTTP",
    kind: "choice",
    choices: ["yes", "no"],
    fallback: "no",
    description: "http: whether texts may go unencrypted to a server beyond this machine.",
  },
  {
    variable: "DOCS_EMBEDDING_CACHE",
    flag: "embedding-cache",
    kind: "string",
    description: "SQLite file that keeps every vector by its text, for models that cost time or money. Default: none.",
  },
  {
    variable: "DOCS_CHUNK_SIZE",
    flag: "chunk-size",
    kind: "integer",
    least: 100,
    fallback: "1500",
    description: "Largest chunk, in characters.",
  },
  {
    variable: "DOCS_CHUNK_OVERLAP",
    flag: "chunk-overlap",
    kind: "integer",
    least: 0,
    fallback: "0",
    description: "How much of the end of a chunk the next one repeats, in characters.",
  },
  {
    variable: "DOCS_FUSION",
    flag: "fusion",
    kind: "choice",
    choices: ["convex", "rrf"],
    fallback: "convex",
    description: "How keyword and vector results are joined: a weighted sum of scores, or reciprocal rank fusion.",
  },
  {
    variable: "DOCS_FUSION_K",
    flag: "fusion-k",
    kind: "number",
    least: 0,
    fallback: "60",
    description: "Constant of reciprocal rank fusion.",
  },
  {
    variable: "DOCS_WEIGHT_LEXICAL",
    flag: "weight-lexical",
    kind: "number",
    least: 0,
    description: "Weight of the keyword results. Default .6 for convex, 1 for rrf.",
  },
  {
    variable: "DOCS_WEIGHT_VECTOR",
    flag: "weight-vector",
    kind: "number",
    least: 0,
    description: "Weight of the vector results. Default .5 for convex, 1 for rrf.",
  },
  {
    variable: "DOCS_CANDIDATES",
    flag: "candidates",
    kind: "integer",
    least: 1,
    fallback: "200",
    description: "Results that keyword and vector search each return before they are joined.",
  },
  {
    variable: "DOCS_PGVECTOR_SCHEMA",
    kind: "string",
    fallback: "docsearch",
    description: "Schema of the pgvector store's tables; one index in each.",
  },
  {
    variable: "DOCS_PGVECTOR_POOL_SIZE",
    kind: "integer",
    least: 1,
    fallback: "4",
    description: "Most connections of the pgvector store at a time.",
  },
  {
    variable: "DOCS_PGVECTOR_INDEX",
    kind: "choice",
    choices: ["hnsw", "exact"],
    fallback: "hnsw",
    description: "Vectors of the pgvector store: an approximate index when there are many, or always all compared.",
  },
  {
    variable: "DOCS_LANCEDB_VECTOR_INDEX",
    kind: "choice",
    choices: ["ivf_rq", "exact"],
    fallback: "ivf_rq",
    description: "Vectors of the lancedb store: an approximate index when there are many, or always all compared.",
  },
  {
    variable: "DOCS_LANCEDB_STORAGE_OPTIONS",
    kind: "string",
    description:
      "lancedb: settings of the object store by their names in LanceDB, as JSON. Keys, region and endpoint of S3 are " +
      "also taken from `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and `AWS_ENDPOINT_URL`.",
  },
  {
    variable: "DOCS_SQLITE_LEXICAL_INDEX",
    kind: "choice",
    choices: ["postings", "fts5"],
    fallback: "postings",
    description: "Lexical index of the sqlite store: packed postings, or an FTS5 table that other tools can read.",
  },
  {
    variable: "DOCS_SQLITE_VECTOR_INDEX",
    kind: "choice",
    choices: ["int8", "signs", "vec0"],
    fallback: "int8",
    description: "Vector index of the sqlite store: exact scan, sign bits first, or a sqlite-vec table.",
  },
  {
    variable: "DOCS_QUERY_LOG",
    kind: "string",
    description: "File to which every search is written as a line of JSON, for `docsearch gaps`. Default: none.",
  },
  {
    variable: "DOCS_QUERY_LOG_TEXT",
    kind: "choice",
    choices: ["yes", "no"],
    fallback: "no",
    description: "Whether the query log keeps what was asked, or only a hash of it.",
  },
  {
    variable: "DOCS_SERVER_HOST",
    kind: "string",
    fallback: "127.0.0.1",
    description: "Address that the server listens on. Beyond loopback it needs `DOCS_SERVER_TOKEN`.",
  },
  {
    variable: "DOCS_SERVER_PORT",
    kind: "integer",
    least: 0,
    fallback: "8765",
    description: "Port that the server listens on; 0 takes a free one.",
  },
  {
    variable: "DOCS_SERVER_TOKEN",
    kind: "string",
    description: "Bearer token that every HTTP request must carry, at least 16 characters.",
  },
  {
    variable: "DOCS_SERVER_ALLOWED_HOSTS",
    kind: "string",
    description: "Host names besides loopback by which the server may be called, separated by commas.",
  },
  {
    variable: "DOCS_SERVER_ROOTS",
    kind: "string",
    description:
      "Folders that `index_path` may read, separated by commas. Default: the project's folder, and those of its sources that " +
      "`docsearch trust` allows.",
  },
  {
    variable: "DOCS_SERVER_WATCH",
    kind: "string",
    description:
      "Folders and files that the server keeps the index up to date with, separated by commas. Default: none.",
  },
  {
    variable: "DOCS_SERVER_WATCH_DEBOUNCE",
    kind: "number",
    least: 0,
    fallback: "2",
    description: "Seconds without a change before the server indexes what it watches.",
  },
  {
    variable: "DOCS_SERVER_WATCH_POLL",
    kind: "choice",
    choices: ["yes", "no"],
    fallback: "no",
    description:
      "Whether the server looks at what it watches at intervals, where the system reports no changes, as on a network drive.",
  },
  {
    variable: "DOCS_SERVER_INCLUDE",
    kind: "string",
    description:
      "Patterns of the files that the server indexes, as in `.gitignore`, separated by commas. A source of the config file " +
      "that has patterns goes by those. Default: all.",
  },
  {
    variable: "DOCS_SERVER_EXCLUDE",
    kind: "string",
    description: "Patterns of the files that the server leaves out, likewise. Default: none.",
  },
  {
    variable: "DOCS_SERVER_TELEMETRY_CONTENT",
    kind: "choice",
    choices: ["yes", "no"],
    fallback: "no",
    description: "Whether spans of OpenTelemetry hold queries, arguments and results of calls.",
  },
  {
    variable: "DOCS_SERVER_PUBLIC_URL",
    kind: "string",
    description: "Address put before a document's path to make the link that ChatGPT cites.",
  },
];

/** Names of indexes of stores that keep one in a folder: where one kind of index is, another cannot be. */
const INDEX_NAMES: Readonly<Record<string, string>> = { pgvector: "pgdata", lancedb: "lancedb" };

/** What an index is called in the folder of indexes when `DOCS_STORE_URL` does not say where it is. */
export function indexName(env: Env): string {
  return INDEX_NAMES[env.DOCS_STORE_BACKEND?.trim() ?? ""] ?? "index.db";
}
