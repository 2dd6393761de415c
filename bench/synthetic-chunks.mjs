// Synthetic documents and queries for measuring stores, the same at each run.
//
// A chunk has 60 distinct terms, drawn from 50,000 by Zipf's law, and a vector of 256 dimensions around one of 500
// centres; a document has ten chunks.

const DIMENSIONS = 256;
const VOCABULARY = 50_000;
export const CHUNKS_PER_DOCUMENT = 10;
export const SCHEMA = { embedding: { id: "bench", dimensions: DIMENSIONS }, chunking: "bench", analyzer: "bench" };
const FIELDS = { title: [3, 0], ancestors: [1, 0], heading: [3, 0], path: [2, 0], body: [1, 0.5], code: [1, 0.5] };
export const RANKING = {
  k1: 1.2,
  fields: Object.fromEntries(Object.entries(FIELDS).map(([field, [weight, b]]) => [field, { weight, b }])),
};

let state = 12345;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const noise = () => random() + random() + random() - 1.5;
const centres = Array.from({ length: 500 }, () => Float32Array.from({ length: DIMENSIONS }, noise));

/** A vector around one of the centres. */
export function vector() {
  const centre = centres[Math.floor(random() * centres.length)];
  return centre.map((component) => component + noise());
}

/** A term by Zipf's law with exponent 1: the inverse of its distribution function, nearly. */
const zipfTerm = () => `w${Math.floor(VOCABULARY ** random())}`;

function field(size) {
  const terms = new Map();
  let length = 0;
  while (terms.size < size) {
    const term = zipfTerm();
    if (terms.has(term)) continue;
    const occurrences = random() < 0.3 ? 1 + Math.floor(random() * 4) : 1;
    terms.set(term, occurrences);
    length += occurrences;
  }
  return { terms, length };
}

/** A change that writes the document of a number. */
export function documentChange(number) {
  const id = `docs/page-${number}.md`;
  const [title, path] = [field(3), field(3)];
  const chunk = (_, ordinal) => {
    const fields = { title, path, heading: field(3), body: field(50) };
    const text = [...fields.body.terms.keys()].join(" ").repeat(3);
    const span = { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 20 };
    const place = { id: `${number}-${ordinal}-0123456789abcdef`, documentId: id, ordinal };
    return {
      chunk: { ...place, text, span, headingPath: ["Guide", "Section"], metadata: {} },
      fields,
      embedding: { kind: "vector", vector: vector() },
    };
  };
  const document = { id, collection: `c${number % 10}`, contentHash: "0", mediaType: "text/markdown", path: id };
  return {
    type: "replace",
    document: { ...document, metadata: { n: number } },
    outline: [],
    chunks: Array.from({ length: CHUNKS_PER_DOCUMENT }, chunk),
  };
}

/** Terms of which none is, and terms which all are, among the 50 most frequent; the frequent ones weigh .2. */
export function query(rare, frequent) {
  const clauses = [];
  while (clauses.length < rare + frequent) {
    const isFrequent = clauses.length >= rare;
    const term = zipfTerm();
    if (Number(term.slice(1)) <= 50 === isFrequent) clauses.push({ op: "term", term, weight: isFrequent ? 0.2 : 1 });
  }
  return { op: "or", clauses };
}
