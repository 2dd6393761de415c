// MiniSearch with its defaults, in memory; title weighed as its guide does.
import MiniSearch from "minisearch";

export async function miniSearchEngine(pages) {
  const index = new MiniSearch({ idField: "path", fields: ["title", "body"], searchOptions: { boost: { title: 2 } } });
  index.addAll(pages.map(({ path, title, body }) => ({ path, title, body })));
  return {
    search: async (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => id),
    bytes: () => JSON.stringify(index).length,
    close: async () => {},
  };
}
