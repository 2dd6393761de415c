import type { Filter } from "@docsearch/spec";

/** A query without its field filters, and what they ask for. */
export interface QueryFilters {
  readonly text: string;
  readonly filter?: Filter;
  /** As typed: `path:src`, `-lang:ts`. */
  readonly typed: readonly string[];
}

/** `path:src/core`, `lang:"c++"`, `-in:notes`; behind a letter, a digit or a colon it is other text. */
const FIELD = /(?<![\w:.-])(-?)(path|lang|in):("[^"]+"|[^\s":/][^\s"]*)/g;

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
 * Takes field filters out of a query: `path:` is a part of the path, `lang:` a language, `in:` a collection; a value
 * with blanks stands in quotes. Several of one field are alternatives, different fields are all required, and one
 * with `-` in front excludes.
 */
export function splitFilters(query: string): QueryFilters {
  const wanted = new Map<string, Filter[]>();
  const clauses: Filter[] = [];
  const typed: string[] = [];
  const text = query.replace(FIELD, (match, sign: string, field: string, quoted: string) => {
    typed.push(match);
    const leaf = leafOf(field, quoted.replaceAll('"', ""));
    if (sign === "-") clauses.push({ op: "not", clause: leaf });
    else wanted.set(field, [...(wanted.get(field) ?? []), leaf]);
    return " ";
  });
  if (typed.length === 0) return { text: query, typed };
  for (const leaves of wanted.values()) clauses.push({ op: "or", clauses: leaves });
  return { text: text.replace(/\s+/g, " ").trim(), filter: { op: "and", clauses }, typed };
}

function leafOf(field: string, value: string): Filter {
  if (field === "path") return { op: "contains", field: "path", value };
  if (field === "in") return { op: "in", field: "collection", values: [value] };
  const language = value.toLowerCase();
  const names = ALIASES[language] ?? [language];
  const values = names.flatMap((name) => [`text/x-${name}`, `text/${name}`, `application/${name}`]);
  return { op: "in", field: "mediaType", values };
}
