import { STOP_WORDS } from "../analyzer/stop-words.js";

/** A name of the query that may be defined in code, and how surely it is meant: 1 when it is the whole query. */
export interface QuerySymbol {
  readonly name: string;
  readonly certainty: number;
}

/** A path, or a dotted name read as one, and how much it counts. Separated by `/`. */
export interface PathHint {
  readonly kind: "path" | "name";
  readonly path: string;
  readonly weight: number;
}

/**
 * What kind of text a query is, and what it names.
 *
 * - `symbol`: one name, with or without words such as "class" or "function" beside it
 * - `sentence`: anything else that is short
 * - `issue`: more than 400 characters, or with a stack trace or a fence: a report of an error
 */
export interface QueryProfile {
  readonly kind: "symbol" | "sentence" | "issue";
  readonly symbols: readonly QuerySymbol[];
  readonly paths: readonly PathHint[];
  /** Words in lower case, for what a query says it wants: tests, examples, an older version. */
  readonly words: ReadonlySet<string>;
}

const ISSUE_LENGTH = 400;
/** What is read of a long query. */
const READ_LENGTH = 6000;
const CERTAINTY = { whole: 1, frame: 0.4, inSentence: 0.3, capitalised: 0.2, qualifier: 0.15 } as const;
const DOTTED_WEIGHT = 0.5;
const FRAME_DECAY = 0.8;
const FRAMES = 10;

const FRAME =
  /File "(?<py>[^"\n]+)", line \d+(?:, in (?<pyName>[\w$.]+))?|^\s*at (?:(?<jsName>[\w$.<>]+) )?\(?(?<js>[^\s()]+):\d+:\d+\)?|(?<other>[\w./-]+\/[\w.-]+\.\w+), line \d+, in (?<otherName>\w+)/gm;
const FENCE = /^ {0,3}(?:```|~~~)/m;
/** A name with what it stands behind: `UserStore.save`, `a::b`, `open()`. */
const NAME = /(?<![\w$./-])[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?/g;
const PATH = /(?<![\w:/])(?:[\w.@-]+\/)+[\w.@-]+/g;
/** Beside a name they say what is looked for, not where. */
const GENERIC =
  /^(?:class|function|method|code|file|definition|implementation|module|struct|interface|trait|type|declaration|source|logic)(?:e?s)?$/;
const ABBREVIATION = /^(?:e\.g|i\.e|a\.k\.a|vs\.?)$/i;

/** Whether a query is a report of an error, or other pasted text: long, or with a stack trace or a fence. */
export function isIssueText(query: string): boolean {
  const text = query.slice(0, READ_LENGTH);
  return query.length > ISSUE_LENGTH || new RegExp(FRAME.source, "m").test(text) || FENCE.test(text);
}

export function withoutFrames(text: string): string {
  return text.replace(FRAME, " ");
}

/** Reads what kind of text a query is. Never throws; linear in the length that is read. */
export function profileQuery(query: string): QueryProfile {
  const text = query.slice(0, READ_LENGTH);
  const frames = framesIn(text);
  const isIssue = isIssueText(query);
  const words = new Set((text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !STOP_WORDS.has(word)));
  const whole = isIssue ? undefined : wholeName(text);
  if (whole !== undefined) {
    const [name, qualifier] = splitName(whole);
    const symbols: QuerySymbol[] = [{ name, certainty: CERTAINTY.whole }];
    if (qualifier !== undefined) symbols.push({ name: qualifier, certainty: CERTAINTY.qualifier });
    return { kind: "symbol", symbols, paths: dottedPath(whole), words };
  }
  const rest = withoutFrames(text);
  return {
    kind: isIssue ? "issue" : "sentence",
    symbols: mostCertain([...namesIn(rest), ...namesOfFrames(frames)]),
    paths: [...pathsIn(rest), ...pathsOfFrames(frames)],
    words,
  };
}

/** Frames of a stack trace, the one where it happened first: JavaScript begins with it, Python ends with it. */
function framesIn(text: string): RegExpMatchArray[] {
  const frames = [...text.matchAll(FRAME)];
  const isNewestFirst = frames[0]?.groups?.js !== undefined;
  return (isNewestFirst ? frames : frames.reverse()).slice(0, FRAMES);
}

/** Whether a word of a sentence can only be a name: an inner capital or underscore, `()`, or qualified. */
export function isIdentifier(word: string): boolean {
  if (ABBREVIATION.test(word)) return false;
  return /[a-z\d][A-Z]|[A-Z]{2,}[a-z]{2,}|[\w$]_[\w$]|\(\)$|[\w$](?:\.|::|#)[A-Za-z_$]/.test(word);
}

/** The name that a query is but for words that say what is looked for. */
function wholeName(text: string): string | undefined {
  const words = text.trim().split(/\s+/);
  const names = words.filter((word) => !GENERIC.test(word.toLowerCase()) && !STOP_WORDS.has(word.toLowerCase()));
  const [name] = names;
  if (name === undefined || names.length > 1 || words.length > 4) return undefined;
  return new RegExp(`^(?:${NAME.source})$`).test(name) ? name : undefined;
}

function namesIn(text: string): QuerySymbol[] {
  const found: QuerySymbol[] = [];
  for (const match of text.replace(PATH, " ").matchAll(NAME)) {
    const [word] = match;
    if (isIdentifier(word)) {
      const [name, qualifier] = splitName(word);
      found.push({ name, certainty: CERTAINTY.inSentence });
      if (qualifier !== undefined) found.push({ name: qualifier, certainty: CERTAINTY.qualifier });
    } else if (/^[A-Z][a-z]/.test(word) && !startsSentence(text, match.index) && !STOP_WORDS.has(word.toLowerCase())) {
      found.push({ name: word, certainty: CERTAINTY.capitalised });
    }
  }
  return found;
}

function startsSentence(text: string, index: number): boolean {
  return /(?:^|[.!?\n])\s*$/.test(text.slice(Math.max(0, index - 20), index));
}

/** The last part of a qualified name, and the part before it. */
function splitName(word: string): [name: string, qualifier: string | undefined] {
  const parts = word.replace(/\(\)$/, "").split(/\.|::|#/);
  return [parts.at(-1) ?? word, parts.at(-2)];
}

function pathsIn(text: string): PathHint[] {
  const paths = [...text.matchAll(PATH)].map(([path]) => ({ kind: "path", path, weight: 1 }) as const);
  const dotted = [...text.replace(PATH, " ").matchAll(NAME)].flatMap(([word]) =>
    isIdentifier(word) ? dottedPath(word) : [],
  );
  return [...paths, ...dotted];
}

function dottedPath(word: string): PathHint[] {
  const path = word.replace(/\(\)$/, "").replace(/\.|::|#/g, "/");
  return path.includes("/") ? [{ kind: "name", path, weight: DOTTED_WEIGHT }] : [];
}

/** The frame where it happened counts most. */
function pathsOfFrames(frames: readonly RegExpMatchArray[]): PathHint[] {
  return frames.flatMap(({ groups = {} }, index) => {
    const path = groups.py ?? groups.js ?? groups.other;
    return path === undefined ? [] : [{ kind: "path", path: path.replaceAll("\\", "/"), weight: FRAME_DECAY ** index }];
  });
}

function namesOfFrames(frames: readonly RegExpMatchArray[]): QuerySymbol[] {
  return frames.flatMap(({ groups = {} }) => {
    const name = groups.pyName ?? groups.jsName ?? groups.otherName;
    return name === undefined ? [] : [{ name: splitName(name)[0], certainty: CERTAINTY.frame }];
  });
}

function mostCertain(symbols: readonly QuerySymbol[]): QuerySymbol[] {
  const best = new Map<string, number>();
  for (const { name, certainty } of symbols) best.set(name, Math.max(certainty, best.get(name) ?? 0));
  return [...best].map(([name, certainty]) => ({ name, certainty }));
}
