import type { Docsearch, IndexStatus } from "@docsearch/core";
import { coverageOf } from "@docsearch/service/coverage";
import { nameSpaces } from "../embedders.js";
import { environmentOf } from "../environment.js";
import { leftovers } from "../leftovers.js";
import { openIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { counted, grouped, sized } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import type { Flags } from "../setting-flags.js";
import { shownLocation } from "../shown-location.js";
import { storedBytes } from "../stored-bytes.js";
import { formatSpaces } from "./embed-spaces.js";

interface StatusFlags extends Flags {
  readonly json?: boolean;
}

interface Collection {
  readonly name: string;
  readonly documents: number;
}

export async function statusCommand(_operands: readonly string[], flags: StatusFlags): Promise<void> {
  const { docsearch, location } = await openIndex(flags);
  try {
    const status = await docsearch.status();
    const collections = await countCollections(docsearch);
    const bytes = storedBytes(location);
    const where = shownLocation(location);
    const notes = leftovers(location);
    const coverage = await coverageOf(docsearch, environmentOf(flags), location);
    const extra = {
      ...(bytes !== undefined && { bytes }),
      ...(notes.length > 0 && { notes }),
      ...(coverage !== undefined && { coverage }),
    };
    const spaces = nameSpaces(await docsearch.listSpaces(), environmentOf(flags));
    if (flags.json) printJson({ location: where, ...extra, ...status, collections, spaces });
    else {
      process.stdout.write(format(status, collections, bytes === undefined ? where : `${where}, ${sized(bytes)}`));
      const { chunks } = status.stats;
      if (spaces.length > 1)
        process.stdout.write(
          formatSpaces(spaces, chunks)
            .map((line) => `model       ${line}`)
            .join(""),
        );
    }
    for (const note of notes) warn(note);
    // Of a run that has ended the notes tell already.
    if (coverage !== undefined && (coverage.run === "running" || coverage.lacking > 0)) warn(coverage.message);
  } finally {
    await docsearch.close();
  }
}

const PAGE = 1000;

async function countCollections(docsearch: Docsearch): Promise<Collection[]> {
  const counts = new Map<string, number>();
  let after: string | undefined;
  do {
    const page = await docsearch.listDocuments({ limit: PAGE, ...(after !== undefined && { after }) });
    for (const { collection } of page) counts.set(collection, (counts.get(collection) ?? 0) + 1);
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, documents]) => ({ name, documents }));
}

function format({ store, schema, stats }: IndexStatus, collections: readonly Collection[], where: string): string {
  const { embedding } = schema;
  const model = embedding === null ? "none" : `${embedding.id}, ${embedding.dimensions} dimensions`;
  const rows = [
    ["index", where],
    ["store", store],
    ["documents", grouped(stats.documents)],
    ["chunks", grouped(stats.chunks)],
    ["vectors", grouped(stats.vectors)],
    ["embedder", model],
    ["chunking", schema.chunking],
    ["analyzer", schema.analyzer],
    ...collections.map(({ name, documents }) => ["collection", `${name}, ${counted(documents, "document")}`]),
  ];
  return rows.map(([name = "", value = ""]) => `${name.padEnd(11)} ${escapeLine(value)}\n`).join("");
}
