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
    description: "Store: sqlite, memory, or a module specifier (contains `/` or starts with `@`, `.` or `file:`).",
  },
  {
    variable: "DOCS_STORE_URL",
    flag: "store-url",
    kind: "string",
    description: "Where the store is, passed to it as it is: a path or a DSN. For sqlite `.docsearch/index.db`.",
  },
  {
    variable: "DOCS_EMBEDDER_BACKEND",
    flag: "embedder",
    kind: "string",
    fallback: "static",
    description: "Embedding model: static (ships with docsearch), none (keywords only), or a module specifier.",
  },
  {
    variable: "DOCS_EMBEDDER_MODEL",
    flag: "embedder-model",
    kind: "string",
    description: "Model of the embedder. For static: a folder with another table in the same format.",
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
    description: "Weight of the keyword results. Default .67 for convex, 1 for rrf.",
  },
  {
    variable: "DOCS_WEIGHT_VECTOR",
    flag: "weight-vector",
    kind: "number",
    least: 0,
    description: "Weight of the vector results. Default .33 for convex, 1 for rrf.",
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
];
