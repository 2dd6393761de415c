import type { Filter } from "@docsearch/spec";
import { hasWords } from "../analyzer/phrases.js";

/** A query without its filters, and what they ask for. */
export interface QueryFilters {
  readonly text: string;
  readonly filter?: Filter;
  /** Phrases that a result must not hold. */
  readonly excluded: readonly string[];
  /** As typed: `path:src`, `-lang:ts`, `-"old words"`. */
  readonly typed: readonly string[];
}

/**
 * What can be a filter, and quoted text, in which nothing is one. A filter is `path:src/core`, `lang:"c++"`, `-in:notes`;
 * behind a letter, a digit or a colon it is other text. Or it is a phrase to leave out, `-"old words"`: a single word
 * behind a dash is most likely the flag of a command.
 */
const PARTS = new RegExp(
  [
    /(?<=^|\s)-(?:"(?<straight>[^"]+)"|\u201c(?<curly>[^\u201d]+)\u201d)/,
    /(?<![\w:.-])(?<sign>-?)(?<field>path|lang|in):(?<value>"[^"]+"|[^\s":/][^\s"]*)/,
    /"[^"]*"|\u201c[^\u201d]*\u201d/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

interface Part {
  readonly straight?: string;
  readonly curly?: string;
  readonly sign?: string;
  readonly field?: string;
  readonly value?: string;
}

/** What a language is also called; a name that is not here stands for the media types that are named after it. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  bash: ["shellscript"],
  cpp: ["c++"],
  cs: ["csharp"],
  "c#": ["csharp"],
  js: ["javascript", "jsx"],
  javascript: ["javascript", "jsx"],
  kt: ["kotlin"],
  markdown: ["markdown", "mdx"],
  md: ["markdown", "mdx"],
  py: ["python"],
  rb: ["ruby"],
  rs: ["rust"],
  sh: ["shellscript"],
  shell: ["shellscript"],
  ts: ["typescript", "tsx"],
  typescript: ["typescript", "tsx"],
  yml: ["yaml"],
};

/**
 * Takes filters out of a query: `path:` is a part of the path, `lang:` a language, `in:` a collection; a value with
 * blanks stands in quotes. Several of one field are alternatives, different fields are all required, and one with `-` in
 * front excludes, as does a quoted phrase with `-` in front.
 */
export function splitFilters(query: string): QueryFilters {
  const wanted = new Map<string, Filter[]>();
  const clauses: Filter[] = [];
  const excluded: string[] = [];
  const typed: string[] = [];
  const text = query.replace(PARTS, (match, ...rest) => {
    const { straight, curly, sign, field, value = "" } = rest.at(-1) as Part;
    const phrase = straight ?? curly;
    if (phrase !== undefined && hasWords(phrase)) excluded.push(phrase);
    else if (field === undefined) return match;
    else if (sign === "-") clauses.push({ op: "not", clause: leafOf(field, value) });
    else wanted.set(field, [...(wanted.get(field) ?? []), leafOf(field, value)]);
    typed.push(match);
    return " ";
  });
  if (typed.length === 0) return { text: query, excluded, typed };
  for (const leaves of wanted.values()) clauses.push({ op: "or", clauses: leaves });
  const filter: Filter | undefined = clauses.length === 0 ? undefined : { op: "and", clauses };
  return { text: text.replace(/\s+/g, " ").trim(), ...(filter && { filter }), excluded, typed };
}

/** Names of a language in media types, whatever it is called; its own name where it has no other. */
export function languageNames(name: string): readonly string[] {
  const language = name.toLowerCase();
  return (Object.hasOwn(ALIASES, language) && ALIASES[language]) || [language];
}

function leafOf(field: string, quoted: string): Filter {
  const value = quoted.replaceAll('"', "");
  if (field === "path") return { op: "contains", field: "path", value };
  if (field === "in") return { op: "in", field: "collection", values: [value] };
  const values = languageNames(value).flatMap((name) => [`text/x-${name}`, `text/${name}`, `application/${name}`]);
  return { op: "in", field: "mediaType", values };
}
