import { readFileSync } from "node:fs";
import { chunkerConformance } from "@docsearch/conformance";
import { test } from "vitest";
import { codeChunker } from "../src/index.js";
import { document } from "./chunk.js";
import { readFixtures } from "./fixtures.js";

/** Each for a kind of reading: grammars, a language of whitespace, markup with scripts, data, statements, lines alone. */
const LANGUAGES: ReadonlySet<string> = new Set(["typescript", "python", "ruby", "vue", "yaml", "sql"]);

const samples = [
  ...readFixtures()
    .filter(({ language }) => LANGUAGES.has(language))
    .map(({ file, text }) => ({ document: document(text, file) })),
  { document: document(readFileSync(new URL("./fixtures/cases/probe.c", import.meta.url), "utf8"), "probe.c") },
  { document: document("sub add {\n  my ($a) = @_;\n  return $a;\n}\n\nsub close {\n  1;\n}\n", "sample.pl") },
];

chunkerConformance({ test, load: () => codeChunker().load(), samples });
