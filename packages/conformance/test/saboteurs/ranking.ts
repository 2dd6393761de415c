import {
  type Bm25fParameters,
  type DocumentRecord,
  LEXICAL_FIELDS,
  type LexicalField,
  type LexicalFieldName,
  type LexicalFields,
  type LexicalQuery,
  type VectorStore,
} from "@docsearch/spec";
import {
  bm25f,
  bm25fCeiling,
  documentFields,
  holdsTerm,
  type LexicalStatistics,
  lexicalStatistics,
  termWeights,
} from "../../../core/src/memory-store/bm25f.js";
import { matchesFilter } from "../../../core/src/memory-store/filter-match.js";
import { type Saboteur, saboteur, writeEach } from "./saboteur.js";

interface Statistics {
  readonly live: readonly LexicalFields[];
  /** Chunks and documents that were replaced or deleted. */
  readonly dead: readonly LexicalFields[];
  readonly filtered: readonly LexicalFields[];
  readonly terms: readonly string[];
  readonly granularity: "chunks" | "documents";
  readonly liveDocuments: readonly LexicalFields[];
}

/** Parts of a text search. The defaults are right. */
interface TextSearchParts {
  readonly chunkFields: (fields: LexicalFields) => LexicalFields;
  readonly documentFields: (chunks: readonly LexicalFields[]) => LexicalFields;
  readonly weights: (query: LexicalQuery, fields: LexicalFields) => ReadonlyMap<string, number>;
  readonly matches: (query: LexicalQuery, fields: LexicalFields) => boolean;
  readonly documentMatches: (query: LexicalQuery, chunks: readonly LexicalFields[]) => boolean;
  readonly statistics: (of: Statistics) => LexicalStatistics;
  readonly ranking: (ranking: Bm25fParameters) => Bm25fParameters;
  readonly score: (score: number) => number;
  readonly ceiling: (query: LexicalQuery, statistics: LexicalStatistics, ranking: Bm25fParameters) => number;
  /** How often a chunk is listed. */
  readonly times: (query: LexicalQuery, fields: LexicalFields) => number;
}

function matches(query: LexicalQuery, fields: LexicalFields): boolean {
  if (query.op === "term") return holdsTerm(fields, query.term);
  if (query.op === "or") return query.clauses.some((clause) => matches(clause, fields));
  return query.clauses.length > 0 && query.clauses.every((clause) => matches(clause, fields));
}

const RIGHT: TextSearchParts = {
  chunkFields: (fields) => fields,
  documentFields,
  weights: termWeights,
  matches,
  documentMatches: (query, chunks) => chunks.some((fields) => matches(query, fields)),
  statistics: ({ live, terms }) => lexicalStatistics(live, terms),
  ranking: (ranking) => ranking,
  score: (score) => score,
  ceiling: (query, statistics, ranking) => bm25fCeiling(termWeights(query), statistics, ranking),
  times: () => 1,
};

interface Tracked {
  readonly record: DocumentRecord;
  readonly chunks: readonly { readonly id: string; readonly fields: LexicalFields }[];
}

/** The memory store with a text search of its own, one part of which is wrong. */
function ranked(name: string, reason: string, wrong: Partial<TextSearchParts>): Saboteur {
  const parts: TextSearchParts = { ...RIGHT, ...wrong };
  return saboteur(name, reason, (inner) => {
    const live = new Map<string, Tracked>();
    const deadChunks: LexicalFields[] = [];
    const deadDocuments: LexicalFields[] = [];
    const bury = (id: string): void => {
      const document = live.get(id);
      if (document === undefined) return;
      const fields = document.chunks.map((chunk) => chunk.fields);
      deadChunks.push(...fields);
      deadDocuments.push(parts.documentFields(fields));
      live.delete(id);
    };
    return {
      write: writeEach(inner, async (change) => {
        const result = await inner.write([change]);
        bury(change.type === "delete" ? change.documentId : change.document.id);
        if (change.type === "replace") {
          const chunks = change.chunks.map(({ chunk, fields }) => ({
            id: chunk.id,
            fields: structuredClone(parts.chunkFields(fields)),
          }));
          live.set(change.document.id, { record: structuredClone(change.document), chunks });
        }
        return result;
      }),
      clear: async (options) => {
        await inner.clear(options);
        for (const id of [...live.keys()]) bury(id);
      },
      searchText: async (search) => {
        await inner.stats(search);
        const { query, filter, limit } = search;
        const terms = [...termWeights(query).keys()];
        const ranking = parts.ranking(search.ranking);
        const documents = [...live.values()].map(({ record, chunks }) => {
          return { record, chunks, fields: parts.documentFields(chunks.map((chunk) => chunk.fields)) };
        });
        const passing = documents.filter(({ record }) => filter === undefined || matchesFilter(filter, record));
        const chunksOf = (list: typeof documents): LexicalFields[] =>
          list.flatMap(({ chunks }) => chunks.map(({ fields }) => fields));
        const fieldsOf = (list: typeof documents): LexicalFields[] => list.map(({ fields }) => fields);
        const statistics = { terms, liveDocuments: fieldsOf(documents) };
        const ofChunks = parts.statistics({
          ...statistics,
          granularity: "chunks",
          live: chunksOf(documents),
          dead: deadChunks,
          filtered: chunksOf(passing),
        });
        const ofDocuments = parts.statistics({
          ...statistics,
          granularity: "documents",
          live: fieldsOf(documents),
          dead: deadDocuments,
          filtered: fieldsOf(passing),
        });
        const scoreOf = (fields: LexicalFields, counts: LexicalStatistics): number =>
          parts.score(bm25f(fields, parts.weights(query, fields), counts, ranking));
        const chunkHits = passing.flatMap(({ record, chunks }) =>
          chunks
            .filter(({ fields }) => parts.matches(query, fields))
            .flatMap(({ id, fields }) => {
              const hit = { chunkId: id, documentId: record.id, score: scoreOf(fields, ofChunks) };
              return Array.from({ length: parts.times(query, fields) }, () => hit);
            }),
        );
        const documentHits = passing
          .filter(({ chunks }) =>
            parts.documentMatches(
              query,
              chunks.map(({ fields }) => fields),
            ),
          )
          .map(({ record, fields }) => ({ documentId: record.id, score: scoreOf(fields, ofDocuments) }));
        return {
          chunks: chunkHits.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1)).slice(0, limit),
          documents: documentHits
            .sort((a, b) => b.score - a.score || (a.documentId < b.documentId ? -1 : 1))
            .slice(0, limit),
          ceiling: {
            chunks: parts.ceiling(query, ofChunks, ranking),
            documents: parts.ceiling(query, ofDocuments, ranking),
          },
        };
      },
    } satisfies Partial<VectorStore>;
  });
}

/** Not a saboteur: shows that the search above is right as long as none of its parts is replaced. */
export const UNTOUCHED: Saboteur = ranked("nothing wrong", "The parts are all right.", {});

function mapFields(
  fields: LexicalFields,
  change: (field: LexicalField, name: LexicalFieldName) => LexicalField,
): LexicalFields {
  return Object.fromEntries(
    LEXICAL_FIELDS.flatMap((name) => {
      const field = fields[name];
      return field === undefined ? [] : [[name, change(field, name)]];
    }),
  );
}

function mapTerms(field: LexicalField, change: (term: string, occurrences: number) => [string, number]): LexicalField {
  return { ...field, terms: new Map([...field.terms].map(([term, occurrences]) => change(term, occurrences))) };
}

function sumFields(chunks: readonly LexicalFields[], name: LexicalFieldName): LexicalField {
  const terms = new Map<string, number>();
  let length = 0;
  for (const fields of chunks) {
    length += fields[name]?.length ?? 0;
    for (const [term, occurrences] of fields[name]?.terms ?? []) terms.set(term, (terms.get(term) ?? 0) + occurrences);
  }
  return { terms, length };
}

function collectWeights(
  query: LexicalQuery,
  merge: (old: number | undefined, weight: number) => number,
): Map<string, number> {
  const weights = new Map<string, number>();
  const collect = (node: LexicalQuery): void => {
    if (node.op === "term") weights.set(node.term, merge(weights.get(node.term), node.weight));
    else node.clauses.forEach(collect);
  };
  collect(query);
  return weights;
}

/** Terms of the clauses that a chunk meets. */
function metTerms(query: LexicalQuery, fields: LexicalFields): string[] {
  if (!matches(query, fields)) return [];
  return query.op === "term" ? [query.term] : query.clauses.flatMap((clause) => metTerms(clause, fields));
}

function setParameters(
  { k1, fields }: Bm25fParameters,
  change: (parameters: { weight: number; b: number }) => { weight: number; b: number },
): Bm25fParameters {
  const changed = Object.fromEntries(Object.entries(fields).map(([name, parameters]) => [name, change(parameters)]));
  return { k1, fields: changed as unknown as Bm25fParameters["fields"] };
}

export const RANKING_SABOTEURS: readonly Saboteur[] = [
  ranked("n counts dead chunks", "Posting counts are not lowered when a chunk is replaced.", {
    statistics: ({ live, dead, terms }) => ({
      ...lexicalStatistics(live, terms),
      unitsWith: lexicalStatistics([...live, ...dead], terms).unitsWith,
    }),
  }),
  ranked("N counts dead chunks", "N is the highest row id, not the number of rows.", {
    statistics: ({ live, dead, terms }) => ({ ...lexicalStatistics(live, terms), units: live.length + dead.length }),
  }),
  ranked("average lengths over dead chunks", "Sums of lengths only grow.", {
    statistics: ({ live, dead, terms }) => ({
      ...lexicalStatistics(live, terms),
      averageLengths: lexicalStatistics([...live, ...dead], terms).averageLengths,
    }),
  }),
  ranked("average lengths leave out empty fields", "The average is taken over rows that a field has.", {
    statistics: ({ live, terms }) => {
      const statistics = lexicalStatistics(live, terms);
      const averageLengths = { ...statistics.averageLengths };
      for (const name of LEXICAL_FIELDS) {
        const having = live.filter((fields) => (fields[name]?.length ?? 0) > 0).length;
        if (having > 0) averageLengths[name] = (averageLengths[name] * live.length) / having;
      }
      return { ...statistics, averageLengths };
    },
  }),
  ranked("statistics of the filtered part", "N and n are counted after the filter.", {
    statistics: ({ filtered, terms }) => lexicalStatistics(filtered, terms),
  }),
  ranked("chunks scored with counts of documents", "One table of statistics serves both lists.", {
    statistics: ({ liveDocuments, terms }) => lexicalStatistics(liveDocuments, terms),
  }),
  ranked("documents without chunks do not count", "Documents are counted by grouping chunks.", {
    statistics: ({ live, terms, granularity }) =>
      lexicalStatistics(
        granularity === "chunks"
          ? live
          : live.filter((fields) => LEXICAL_FIELDS.some((name) => (fields[name]?.length ?? 0) > 0)),
        terms,
      ),
  }),
  ranked("no inverse document frequency", "A backend's own rank, such as ts_rank.", {
    statistics: ({ live, terms }) => ({
      ...lexicalStatistics(live, terms),
      unitsWith: new Map(terms.map((term) => [term, 1])),
    }),
  }),
  ranked("ancestors count in documents", "A document's fields are all added up.", {
    documentFields: (chunks) => ({ ...documentFields(chunks), ancestors: sumFields(chunks, "ancestors") }),
  }),
  ranked("titles count for each chunk in documents", "A document's fields are all added up.", {
    documentFields: (chunks) => ({ ...documentFields(chunks), title: sumFields(chunks, "title") }),
  }),
  ranked("path lengths are added up in documents", "Lengths are summed, occurrences are not.", {
    documentFields: (chunks) => {
      const fields = documentFields(chunks);
      const { length } = sumFields(chunks, "path");
      return { ...fields, path: { terms: fields.path?.terms ?? new Map(), length } };
    },
  }),
  ranked("code is left out of documents", "The field was added later, and forgotten here.", {
    documentFields: (chunks) =>
      mapFields(documentFields(chunks), (field, name) => (name === "code" ? { terms: new Map(), length: 0 } : field)),
  }),
  ranked("documents score over their first chunk", "A document is scored by one chunk.", {
    documentFields: (chunks) => documentFields(chunks.slice(0, 1)),
  }),
  ranked("documents match over all their chunks together", "The tree is evaluated on the document's terms.", {
    documentMatches: (query, chunks) =>
      matches(query, Object.fromEntries(LEXICAL_FIELDS.map((name) => [name, sumFields(chunks, name)]))),
  }),
  ranked("documents of score 0 are dropped", "Only documents that gained a score are listed.", {
    documentMatches: (query, chunks) =>
      RIGHT.documentMatches(query, chunks) &&
      [...termWeights(query).keys()].some((term) => holdsTerm(documentFields(chunks), term)),
  }),
  ranked("`and` is taken for `or`", "All terms are joined by OR.", {
    matches: (query, fields) => [...termWeights(query).keys()].some((term) => holdsTerm(fields, term)),
    documentMatches: (query, chunks) =>
      chunks.some((fields) => [...termWeights(query).keys()].some((term) => holdsTerm(fields, term))),
  }),
  ranked("`or` is taken for `and`", "Terms side by side mean AND in the backend's syntax.", {
    matches: (query, fields) => [...termWeights(query).keys()].every((term) => holdsTerm(fields, term)),
    documentMatches: (query, chunks) =>
      chunks.some((fields) => [...termWeights(query).keys()].every((term) => holdsTerm(fields, term))),
  }),
  ranked("inner `and` is taken for `or`", "Nested clauses are flattened into the outer one.", {
    matches: (query, fields) =>
      query.op === "or"
        ? [...termWeights(query).keys()].some((term) => holdsTerm(fields, term))
        : matches(query, fields),
  }),
  ranked("an empty `and` matches everything", "`every` of an empty list is true.", {
    matches: (query, fields) => (query.op === "and" && query.clauses.length === 0) || matches(query, fields),
  }),
  ranked("query weights are ignored", "The backend's syntax has no weights.", {
    weights: (query) => collectWeights(query, () => 1),
  }),
  ranked("a repeated term's weights are summed", "Each leaf of the tree is scored.", {
    weights: (query) => collectWeights(query, (old = 0, weight) => old + weight),
  }),
  ranked("a repeated term has its last weight", "Weights are collected into a map.", {
    weights: (query) => collectWeights(query, (_, weight) => weight),
  }),
  ranked("only the clauses that are met score", "The tree is evaluated and scored in one pass.", {
    weights: (query, fields) => {
      const met = new Set(metTerms(query, fields));
      return new Map([...termWeights(query)].filter(([term]) => met.has(term)));
    },
  }),
  ranked("halves are rounded", "Occurrences are stored as integers.", {
    chunkFields: (fields) => mapFields(fields, (field) => mapTerms(field, (term, n) => [term, Math.ceil(n)])),
  }),
  ranked("lengths are rounded", "Lengths are stored as integers.", {
    chunkFields: (fields) => mapFields(fields, ({ terms, length }) => ({ terms, length: Math.round(length) })),
  }),
  ranked("lengths are sums of occurrences", "The length is not stored but counted.", {
    chunkFields: (fields) =>
      mapFields(fields, ({ terms }) => ({ terms, length: [...terms.values()].reduce((a, b) => a + b, 0) })),
  }),
  ranked("occurrences are capped at 2", "Occurrences are packed into a few bits.", {
    chunkFields: (fields) => mapFields(fields, (field) => mapTerms(field, (term, n) => [term, Math.min(n, 2)])),
  }),
  ranked("only the body is searched", "One column is in the full-text index.", {
    chunkFields: ({ body }) => (body === undefined ? {} : { body }),
  }),
  ranked("headings are not searched", "A field was forgotten.", {
    chunkFields: ({ heading: _, ...fields }) => fields,
  }),
  ranked("terms are folded to lower case", "The backend's tokenizer folds once more.", {
    chunkFields: (fields) => mapFields(fields, (field) => mapTerms(field, (term, n) => [term.toLowerCase(), n])),
  }),
  ranked("terms are normalised", "The backend compares in NFC.", {
    chunkFields: (fields) => mapFields(fields, (field) => mapTerms(field, (term, n) => [term.normalize("NFC"), n])),
  }),
  ranked("terms are cut at 1,000 characters", "The column has a width.", {
    chunkFields: (fields) => mapFields(fields, (field) => mapTerms(field, (term, n) => [term.slice(0, 1000), n])),
  }),
  ranked("field weights are ignored", "All columns weigh alike by default.", {
    ranking: (ranking) => setParameters(ranking, ({ b }) => ({ weight: 1, b })),
  }),
  ranked("b is fixed at .75", "The backend knows no b of each field.", {
    ranking: (ranking) => setParameters(ranking, ({ weight }) => ({ weight, b: 0.75 })),
  }),
  ranked("k1 is fixed at 1.2", "The backend's parameter is a constant.", {
    ranking: ({ fields }) => ({ k1: 1.2, fields }),
  }),
  ranked("text scores are constant", "Matches are listed, not ranked.", { score: () => 1 }),
  ranked("text scores are negative", "SQLite's bm25 is better the lower it is.", { score: (score) => -score }),
  ranked("text scores are rounded", "Scores are stored as 16-bit numbers.", {
    score: (score) => Math.round(score * 1000) / 1000,
  }),
  ranked("a chunk is listed once for each matching field", "A join over fields without grouping.", {
    times: (query, fields) =>
      LEXICAL_FIELDS.filter((name) => [...termWeights(query).keys()].some((term) => fields[name]?.terms.has(term)))
        .length,
  }),
  ranked("the ceiling leaves out absent terms", "It is summed over the terms that have postings.", {
    ceiling: (query, statistics, ranking) => {
      const held = [...termWeights(query)].filter(([term]) => (statistics.unitsWith.get(term) ?? 0) > 0);
      return bm25fCeiling(new Map(held), statistics, ranking);
    },
  }),
  ranked("the ceiling counts every leaf", "It is summed over the tree.", {
    ceiling: (query, statistics, ranking) => {
      const weights = collectWeights(query, (old = 0, weight) => old + weight);
      return bm25fCeiling(weights, statistics, ranking);
    },
  }),
  ranked("the ceiling lacks k1 + 1", "It is the sum of weights and idf.", {
    ceiling: (query, statistics, ranking) => bm25fCeiling(termWeights(query), statistics, ranking) / (ranking.k1 + 1),
  }),
  ranked("an unknown term empties the result", "A term without postings ends the search early.", {
    matches: (query, fields) => matches(query, fields) && !termWeights(query).has("none"),
  }),
];
