import type { Chunk, DocumentRecord } from "@docsearch/spec";
import { languageNames } from "./query-filters.js";

/** What a query says in plain words of the place where its answer stands. */
export interface QueryHints {
  readonly kinds: readonly HintKind[];
  /** Names of files in lower case, without their ending: `readme` of "in the README". */
  readonly files: readonly string[];
  /** Languages of code by the names that media types have: `python` of "in Python". */
  readonly languages: readonly string[];
}

type HintKind = "installation" | "example" | "reference";

/** Only phrases that can hardly mean another thing: `install` alone is the name of many a command. */
const ASKS: Readonly<Record<HintKind, RegExp>> = {
  installation:
    /\bhow (?:to|do (?:i|you|we)|can i) (?:install|set ?up|get started)\b|\bgetting started\b|\binstall(?:ation|ing)? (?:guide|instructions|steps|of)\b/,
  example:
    /\bexamples? (?:of|for|with|using|how|to)\b|\b(?:code|usage) (?:examples?|samples?|snippets?)\b|\b(?:sample|example) code\b|\bshow me\b/,
  reference:
    /\bapi (?:docs?|documentation|references?|of)\b|\breference (?:docs?|documentation|of|for)\b|\bsignature of\b/,
};

/** Headings, titles and paths of such places. */
const IS: Readonly<Record<HintKind, RegExp>> = {
  installation: /\binstall(?:ation|ing)?\b|\bset(?:ting)?[- ]?up\b|\bgetting[- ]started\b|\bquick[- ]?start\b/i,
  example: /\bexamples?\b|\busage\b|\bsamples?\b|\bdemos?\b|\brecipes?\b/i,
  reference: /\bapi\b|\breference\b/i,
};

const FENCE = /^[ \t]*(?:```|~~~)[ \t]*([\w+#-]*)/gm;
const HAS_FENCE = 0.5;

const FILE =
  /\b(?:in|from|of|inside|see) (?:the |our |your |its )?(readme|changelog|licen[cs]e|contributing|security|makefile|dockerfile)\b/g;
const LANGUAGE =
  /\b(?:in|using) (c\+\+|c#|f#|[a-z]+)(?![\w+#])|(?<![\w+#])(c\+\+|c#|f#|[a-z]+) (?:code|examples?|functions?|scripts?|snippets?)\b/g;
/** Names of languages that are asked for; as words of their own most of these mean another thing. */
const LANGUAGES: ReadonlySet<string> = new Set(
  "bash c++ c# cpp csharp css dart elixir erlang f# golang groovy haskell html java javascript js julia kotlin lua perl php powershell py python r ruby rust scala shell sql swift ts typescript zig".split(
    " ",
  ),
);
const NONE: QueryHints = { kinds: [], files: [], languages: [] };
const READ_LENGTH = 400;

/** Reads what a short query asks for; longer text is a report, not a question. */
export function readHints(query: string): QueryHints {
  if (query.length > READ_LENGTH) return NONE;
  const text = query.toLowerCase().replace(/\s+/g, " ");
  const named = [...text.matchAll(LANGUAGE)].map(([, behind, before]) => behind ?? before ?? "");
  return {
    kinds: (Object.keys(ASKS) as HintKind[]).filter((kind) => ASKS[kind].test(text)),
    files: [...text.matchAll(FILE)].map(([, name = ""]) => name),
    languages: [...new Set(named.filter((name) => LANGUAGES.has(name)).flatMap(languageNames))],
  };
}

/** How well a place is one that the query asks for; 0 to 1. */
export function matchHints({ kinds, files, languages }: QueryHints, document: DocumentRecord, chunk: Chunk): number {
  if (kinds.length + files.length + languages.length === 0) return 0;
  const { path = "", title = "", mediaType } = document;
  const name = /([^/.]+)[^/]*$/.exec(path.toLowerCase())?.[1] ?? "";
  if (files.includes(name)) return 1;
  const types = [chunk.language ?? "", mediaType.replace(/^.*\/(?:x-)?/, "")];
  if (types.some((type) => languages.includes(type))) return 1;
  const place = [title, ...chunk.headingPath, path].join("\n");
  if (kinds.some((kind) => IS[kind].test(place))) return 1;
  if (!kinds.includes("example") && languages.length === 0) return 0;
  const fences = [...chunk.text.matchAll(FENCE)].map(([, language = ""]) => language.toLowerCase());
  const isFitting = languages.length === 0 ? fences.length > 0 : fences.some((fence) => languages.includes(fence));
  return isFitting ? HAS_FENCE : 0;
}
