import {
  DocsearchError,
  type IndexSchema,
  isDocsearchError,
  type OpenOptions,
  type SpaceEmbedding,
  type StoreFactory,
  type VectorStore,
} from "@docsearch/spec";

/**
 * Which of the models of an index may answer. `active`: the one that it answers with. `existing`: any of which it has
 * vectors. `new`: any; one that it does not have begins with no vectors.
 */
export type SpaceChoice = "active" | "existing" | "new";

/**
 * Opens an index in the space of the schema's model.
 *
 * @throws what `StoreFactory.open` throws; `INDEX_MISMATCH` when the index has no such space
 */
export async function openSpace(
  factory: StoreFactory,
  schema: IndexSchema,
  options: OpenOptions,
  choice: SpaceChoice,
): Promise<VectorStore> {
  try {
    return await factory.open(schema, options);
  } catch (error) {
    const { embedding } = schema;
    const canJoin = choice !== "active" && options.mode !== "rebuild" && options.onMismatch === "error";
    if (!canJoin || embedding === null || !isDocsearchError(error, "INDEX_MISMATCH")) throw error;
    const { stored } = error.details;
    if (stored.chunking !== schema.chunking || stored.analyzer !== schema.analyzer) throw error;
    return await join(factory, stored, embedding, options, choice === "new", error);
  }
}

async function join(
  factory: StoreFactory,
  stored: IndexSchema,
  embedding: SpaceEmbedding,
  options: OpenOptions,
  create: boolean,
  mismatch: DocsearchError,
): Promise<VectorStore> {
  const active = await factory.open(stored, options);
  try {
    if (active.spaces === undefined) throw create ? spacesUnsupported(active) : mismatch;
    return await active.spaces.open(embedding, { create });
  } catch (error) {
    throw isDocsearchError(error, "NOT_FOUND") ? mismatch : error;
  } finally {
    await active.close();
  }
}

export function spacesUnsupported({ name }: Pick<VectorStore, "name">): DocsearchError<"UNSUPPORTED"> {
  return new DocsearchError(
    "UNSUPPORTED",
    `this index of the store "${name}" keeps the vectors of one model; for another one make a second index (DOCS_STORE_URL), or this one anew: docsearch index --rebuild`,
    { operation: "vector spaces" },
  );
}

/**
 * What an index was made with.
 *
 * @throws what `StoreFactory.open` throws in the mode `read`: `INDEX_MISSING`, `INDEX_FORMAT` and others
 */
export async function storedSchema(factory: StoreFactory): Promise<IndexSchema> {
  try {
    // No index was made with nothing, so the answer is what it was made with.
    const nothing = { embedding: null, chunking: "", analyzer: "" };
    const store = await factory.open(nothing, { mode: "read", onMismatch: "error" });
    await store.close();
    return store.schema;
  } catch (error) {
    if (isDocsearchError(error, "INDEX_MISMATCH")) return error.details.stored;
    throw error;
  }
}

/** Opens an index as it is, in its active space: for what needs no model. Throws like `storedSchema`. */
export async function openStored(factory: StoreFactory, mode: "read" | "write"): Promise<VectorStore> {
  return factory.open(await storedSchema(factory), { mode, onMismatch: "error" });
}
