import {
  type Bm25fParameters,
  LEXICAL_FIELDS,
  type LexicalField,
  type LexicalFieldName,
  type LexicalFields,
  type LexicalQuery,
} from "@docsearch/spec";

/** What BM25F needs to know of all units together. A unit is a chunk, or a document as a whole. */
export interface LexicalStatistics {
  /** Number of units: N. */
  readonly units: number;
  /** Number of units that hold a term in any field: n. */
  readonly unitsWith: ReadonlyMap<string, number>;
  /** Over all units, those included whose field is empty. */
  readonly averageLengths: Readonly<Record<LexicalFieldName, number>>;
}

/** Counts N, the average length of each field, and n for each of `terms`. */
export function lexicalStatistics(units: readonly LexicalFields[], terms: Iterable<string>): LexicalStatistics {
  const averageLengths: Record<LexicalFieldName, number> = {
    title: 0,
    ancestors: 0,
    heading: 0,
    path: 0,
    body: 0,
    code: 0,
  };
  for (const name of LEXICAL_FIELDS) {
    const total = units.reduce((sum, fields) => sum + (fields[name]?.length ?? 0), 0);
    averageLengths[name] = units.length === 0 ? 0 : total / units.length;
  }
  const unitsWith = new Map<string, number>();
  for (const term of terms) {
    unitsWith.set(term, units.filter((fields) => holdsTerm(fields, term)).length);
  }
  return { units: units.length, unitsWith, averageLengths };
}

/** Whether a unit holds a term in any field. */
export function holdsTerm(fields: LexicalFields, term: string): boolean {
  return LEXICAL_FIELDS.some((name) => fields[name]?.terms.has(term));
}

/** The distinct terms of a query. A term that comes several times counts once, with its largest weight. */
export function termWeights(query: LexicalQuery): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const collect = (node: LexicalQuery): void => {
    if (node.op === "term") weights.set(node.term, Math.max(node.weight, weights.get(node.term) ?? 0));
    else node.clauses.forEach(collect);
  };
  collect(query);
  return weights;
}

/** `ln(1 + (N - n + .5) / (n + .5))`: above zero for every n from 0 to N. */
export function inverseDocumentFrequency(units: number, unitsWith: number): number {
  return Math.log(1 + (units - unitsWith + 0.5) / (unitsWith + 0.5));
}

/** `(k1 + 1) * tf / (k1 + tf)`: rises with `tf`, and stays below `k1 + 1`. */
export function saturate(frequency: number, k1: number): number {
  return ((k1 + 1) * frequency) / (k1 + frequency);
}

/**
 * Score of one unit: the formula of `Bm25fParameters` (Robertson and Zaragoza, The Probabilistic Relevance
 * Framework: BM25 and Beyond, 2009, section 3.6), with an idf that is never negative.
 */
export function bm25f(
  fields: LexicalFields,
  weights: ReadonlyMap<string, number>,
  statistics: LexicalStatistics,
  { k1, fields: parameters }: Bm25fParameters,
): number {
  let score = 0;
  for (const [term, weight] of weights) {
    let frequency = 0;
    for (const name of LEXICAL_FIELDS) {
      const field = fields[name];
      const occurrences = field?.terms.get(term);
      if (field === undefined || occurrences === undefined) continue;
      const { weight: fieldWeight, b } = parameters[name];
      const average = statistics.averageLengths[name];
      // An average of zero means that every length is zero, and so every length is the average.
      const relativeLength = average === 0 ? 1 : field.length / average;
      frequency += (fieldWeight * occurrences) / (1 - b + b * relativeLength);
    }
    if (frequency === 0) continue;
    const idf = inverseDocumentFrequency(statistics.units, statistics.unitsWith.get(term) ?? 0);
    score += weight * idf * saturate(frequency, k1);
  }
  return score;
}

/** What a unit would score in which every term occurred without end; terms that no unit holds count too. */
export function bm25fCeiling(
  weights: ReadonlyMap<string, number>,
  statistics: LexicalStatistics,
  { k1 }: Bm25fParameters,
): number {
  let sum = 0;
  for (const [term, weight] of weights) {
    sum += weight * inverseDocumentFrequency(statistics.units, statistics.unitsWith.get(term) ?? 0);
  }
  return (k1 + 1) * sum;
}

/**
 * Fields of a document as a whole: `heading`, `body` and `code` are added over its chunks; `title` and `path`,
 * which every chunk repeats, count once, as the largest over its chunks; `ancestors` are left out, because each
 * of those headings is the `heading` of another chunk.
 */
export function documentFields(chunks: readonly LexicalFields[]): LexicalFields {
  const add = (a: number, b: number): number => a + b;
  return {
    title: mergeField(chunks, "title", Math.max),
    path: mergeField(chunks, "path", Math.max),
    heading: mergeField(chunks, "heading", add),
    body: mergeField(chunks, "body", add),
    code: mergeField(chunks, "code", add),
  };
}

function mergeField(
  chunks: readonly LexicalFields[],
  name: LexicalFieldName,
  merge: (a: number, b: number) => number,
): LexicalField {
  const terms = new Map<string, number>();
  let length = 0;
  for (const fields of chunks) {
    const field = fields[name];
    if (field === undefined) continue;
    length = merge(length, field.length);
    for (const [term, occurrences] of field.terms) terms.set(term, merge(terms.get(term) ?? 0, occurrences));
  }
  return { terms, length };
}
