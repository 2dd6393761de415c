/** What is known of a model by its name. */
export interface ModelFacts {
  /** Put before each query and each document. */
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
  /** Length of its vectors; absent: the server is asked. */
  readonly dimensions?: number;
  /** Most tokens of a text, those included that the model adds. */
  readonly maxTokens?: number;
  /** Whether the beginning of a vector is a vector too, so that it may be cut to fewer dimensions. */
  readonly isMatryoshka?: boolean;
}

const PASSAGES = "Represent this sentence for searching relevant passages: ";
const WEB_SEARCH = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:";

/** The first row whose pattern matches counts. Sources: the models' own cards. */
const MODELS: readonly (readonly [RegExp, ModelFacts])[] = [
  [/^text-embedding-3-small$/, { dimensions: 1536, maxTokens: 8191, isMatryoshka: true }],
  [/^text-embedding-3-large$/, { dimensions: 3072, maxTokens: 8191, isMatryoshka: true }],
  [/^text-embedding-ada-002$/, { dimensions: 1536, maxTokens: 8191 }],
  [/nomic-embed-code/, { queryPrefix: "Represent this query for searching relevant code: " }],
  [
    /nomic-embed-text/,
    {
      queryPrefix: "search_query: ",
      documentPrefix: "search_document: ",
      dimensions: 768,
      maxTokens: 2048,
      isMatryoshka: true,
    },
  ],
  [/e5-.*instruct|e5-mistral/, { queryPrefix: `${WEB_SEARCH} ` }],
  [/(?:^|[-_])e5-(?:small|base|large)/, { queryPrefix: "query: ", documentPrefix: "passage: ", maxTokens: 512 }],
  [/bge-m3/, { dimensions: 1024, maxTokens: 8192 }],
  [/bge-small-en/, { queryPrefix: PASSAGES, dimensions: 384, maxTokens: 512 }],
  [/bge-base-en/, { queryPrefix: PASSAGES, dimensions: 768, maxTokens: 512 }],
  [/bge-large(?:-en|$)/, { queryPrefix: PASSAGES, dimensions: 1024, maxTokens: 512 }],
  [/bge-(?:small|base|large)-zh/, { queryPrefix: "为这个句子生成表示以用于检索相关文章：", maxTokens: 512 }],
  [/mxbai-embed-large/, { queryPrefix: PASSAGES, dimensions: 1024, maxTokens: 512, isMatryoshka: true }],
  [/snowflake-arctic-embed(?:2|.*-v2)/, { queryPrefix: "query: ", maxTokens: 8192 }],
  [/snowflake-arctic-embed/, { queryPrefix: PASSAGES, maxTokens: 512 }],
  [
    /embedding-?gemma/,
    {
      queryPrefix: "task: search result | query: ",
      documentPrefix: "title: none | text: ",
      dimensions: 768,
      maxTokens: 2048,
      isMatryoshka: true,
    },
  ],
  [/qwen3-embedding/, { queryPrefix: WEB_SEARCH, isMatryoshka: true }],
  [/all-minilm-l(?:6|12)|^all-minilm$/, { dimensions: 384, maxTokens: 256 }],
  [/jina-embeddings-v2-base/, { dimensions: 768, maxTokens: 8192 }],
];

/** Looks a model up by its name, without organisation and tag: `BAAI/bge-small-en-v1.5`, `bge-m3:latest`. */
export function modelFacts(model: string): ModelFacts {
  const name = model.toLowerCase().replace(/^.*\//, "").replace(/:.*$/, "");
  return MODELS.find(([pattern]) => pattern.test(name))?.[1] ?? {};
}
