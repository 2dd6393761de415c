// Orama with its defaults, in memory.
import { create, insertMultiple, search } from "@orama/orama";

export async function oramaEngine(pages) {
  const index = create({ schema: { path: "string", title: "string", body: "string" } });
  await insertMultiple(
    index,
    pages.map(({ path, title, body }) => ({ path, title, body })),
  );
  return {
    search: async (query, limit) => {
      const { hits } = await search(index, { term: query, limit, properties: ["title", "body"], boost: { title: 2 } });
      return hits.map(({ document }) => document.path);
    },
    bytes: () => undefined,
    close: async () => {},
  };
}
