// The Markdown of bun-types, and known-item queries from the descriptions in its front matter.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

export const CORPUS_ROOT = dirname(createRequire(import.meta.url).resolve("bun-types/package.json"));

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** Pages with their path, whole text, body without front matter, title and description. */
export function readPages() {
  return markdownFiles(CORPUS_ROOT).map((file) => {
    const text = readFileSync(file, "utf8");
    const matter = FRONT_MATTER.exec(text)?.[1] ?? "";
    const body = text.replace(FRONT_MATTER, "");
    return {
      path: relative(CORPUS_ROOT, file),
      text,
      body,
      title: value(matter, "title") ?? /^# (.*)$/m.exec(body)?.[1] ?? "",
      description: value(matter, "description"),
    };
  });
}

/** Known-item queries: all prose pages, every fifth lint rule. */
export function knownItemQueries(pages) {
  const described = pages.filter(({ description }) => description !== undefined && description.length > 20);
  const isLint = ({ path }) => /lint|rules\//.test(path);
  const lint = described.filter(isLint).filter((_, index) => index % 5 === 0);
  const prose = described.filter((page) => !isLint(page));
  const query = (kind) => (page) => ({ kind, text: page.description, path: page.path });
  return [...prose.map(query("prose")), ...lint.map(query("lint"))];
}

/** What people type, for latency. */
export const SHORT_QUERIES = [
  "watch mode",
  "bun install",
  "hot reload",
  "sqlite transaction",
  "environment variables",
  "http server routes",
  "mock functions",
  "snapshot testing",
  "websocket server",
  "file io",
  "how do I run my unit tests again when a file changes",
  "how do I read a file as a string",
  "where does the package manager keep its cache",
  "make one executable out of my program",
  "how can I call a C function from JavaScript",
  "what is the difference between spawn and spawnSync",
  "how do I set a timeout for a test",
  "Bun.serve",
  "useEffect",
  "ERR_MODULE_NOT_FOUND",
];

function markdownFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : markdownFiles(path);
      return /\.mdx?$/.test(entry.name) ? [path] : [];
    });
}

function value(matter, key) {
  const line = new RegExp(`^${key}:\\s*(.*)$`, "m").exec(matter)?.[1]?.trim();
  return line?.replace(/^(["'])(.*)\1$/, "$2");
}
