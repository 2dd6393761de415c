export { type PgvectorStoreOptions, pgvectorStore, provider } from "./factory.js";
export type { PgliteLike, PgliteTransaction } from "./pglite.js";
export type { ClientLike, PoolLike } from "./postgres.js";
