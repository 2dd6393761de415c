import type { Link } from "@docsearch/spec";
import { expect, test } from "vitest";
import { matchLinks } from "../src/ranking/link-match.js";
import type { RuleFacts } from "../src/ranking/rule-facts.js";
import { applyRules } from "../src/ranking/rules.js";
import { fact, ruleContext } from "./rule-support.js";

const link = (target: string, text: string, line = 1): Link => ({ target, text, line });

/** Values by chunk id, rounded; all chunks are hits, in the order given. */
function linked(query: string, facts: Record<string, RuleFacts>): Record<string, number> {
  const { headings, facts: known } = ruleContext(query, facts);
  const hits = Object.entries(facts).map(([chunkId, { document }]) => {
    return { chunkId, documentId: document.id, score: 1, contributions: [] };
  });
  const values = matchLinks(hits, known, headings);
  return Object.fromEntries([...values].map(([id, value]) => [id, Number(value.toFixed(3))]));
}

const page = (path: string, id: string, anchor?: string): RuleFacts =>
  fact(path, id, { ...(anchor !== undefined && { anchor }) });

test("a link's text is said of all chunks of its target, by the square of how well it matches", () => {
  const source = fact("docs/start.md", "start", {
    text: "Then see [watch mode](./watch.md), or [run scripts](run.md).",
    links: [link("./watch.md", "watch mode"), link("run.md", "run scripts")],
  });
  const facts = {
    start: source,
    w1: page("docs/watch.md", "w1"),
    w2: page("docs/watch.md", "w2"),
    r: page("docs/run.md", "r"),
  };
  expect(linked("watch mode", facts)).toEqual({ w1: 1, w2: 1 });
  // Two of three words: 4 / 5, squared.
  expect(linked("watch mode port", facts)).toEqual({ w1: 0.64, w2: 0.64 });
  expect(linked("hot reload", facts)).toEqual({});
});

test("a row of a table or an item of a list says its whole line of its only link", () => {
  const rows = [
    "| [`max-depth`](/rules/max-depth) | Limit how deep blocks nest | yes |",
    "| [`id-length`](/rules/id-length) | Limit how long names are | |",
  ];
  const table = fact("docs/rules/index.md", "table", {
    text: rows.join("\n"),
    links: [link("/rules/max-depth", "max-depth", 1), link("/rules/id-length", "id-length", 2)],
  });
  const facts = {
    table,
    depth: page("docs/rules/max-depth.md", "depth"),
    length: page("docs/rules/id-length.md", "l"),
  };
  const values = linked("limit how deep blocks nest", facts);
  // 4.2 of the 4.2 words of the query, "how" counting .2, and of the 7.2 of the row: 8.4 / 11.4, squared.
  expect(values).toEqual({ depth: 0.543 });

  const asText = fact("docs/rules/index.md", "table", {
    text: "Limit how deep blocks nest with [`max-depth`](/rules/max-depth).",
    links: [link("/rules/max-depth", "max-depth")],
  });
  expect(linked("limit how deep blocks nest", { ...facts, table: asText })).toEqual({});

  const twoLinks = fact("docs/rules/index.md", "table", {
    text: "- Limit how deep blocks nest: [`max-depth`](/rules/max-depth), not [`id-length`](/rules/id-length)",
    links: [link("/rules/max-depth", "max-depth"), link("/rules/id-length", "id-length")],
  });
  expect(linked("limit how deep blocks nest", { ...facts, table: twoLinks })).toEqual({});
});

test("a fragment identifier says it of that section alone, also within a page", () => {
  const facts = {
    toc: fact("docs/serve.md", "toc", {
      anchor: "serve",
      text: "- [Change the port](#port)\n- [Serve](serve.md)",
      links: [link("#port", "Change the port", 1), link("serve.md", "Change the port", 2)],
    }),
    port: page("docs/serve.md", "port", "port"),
    tls: page("docs/serve.md", "tls", "tls"),
    other: fact("docs/other.md", "other", {
      text: "[certificates for TLS](./serve.md#tls)",
      links: [link("./serve.md#tls", "certificates for TLS")],
    }),
  };
  expect(linked("change the port", facts)).toEqual({ port: 1 });
  expect(linked("certificates for tls", facts)).toEqual({ tls: 1 });
});

test("links that lead elsewhere, or to what is no candidate, say nothing", () => {
  const source = fact("docs/start.md", "start", {
    text: "[watch mode](https://example.com/watch.md) [watch mode](gone.md)",
    links: [link("https://example.com/watch.md", "watch mode"), link("gone.md", "watch mode")],
  });
  expect(linked("watch mode", { start: source, w: page("docs/watch.md", "w") })).toEqual({});
});

test("hits behind the first thirty are not read for links", () => {
  const before = Array.from(
    { length: 30 },
    (_, index) => [`h${index}`, page(`docs/${index}.md`, `h${index}`)] as const,
  );
  const source = fact("docs/start.md", "start", {
    text: "[watch mode](watch.md)",
    links: [link("watch.md", "watch mode")],
  });
  const target = ["w", page("docs/watch.md", "w")] as const;
  const behind = Object.fromEntries([...before, ["start", source] as const, target]);
  expect(linked("watch mode", behind)).toEqual({});
  const within = Object.fromEntries([...before.slice(1), ["start", source] as const, target]);
  expect(linked("watch mode", within)).toEqual({ w: 1 });
});

test("the page comes before the table of contents that quotes its description", () => {
  const facts = {
    table: fact("docs/rules/index.md", "table", {
      text: "| [`max-depth`](max-depth.md) | Limit how deep blocks nest |",
      links: [link("max-depth.md", "max-depth")],
    }),
    depth: page("docs/rules/max-depth.md", "depth"),
  };
  const hit = (chunkId: string, documentId: string, score: number) => ({
    chunkId,
    documentId,
    score,
    contributions: [],
  });
  const fused = [hit("table", "docs/rules/index.md", 1), hit("depth", "docs/rules/max-depth.md", 0.8)];
  const query = "limit how deep blocks nest";
  const [first, second] = applyRules(fused, ruleContext(query, facts));
  expect(first?.chunkId).toBe("depth");
  expect(first?.rules.map(({ rule }) => rule)).toEqual(["linked"]);
  expect(second?.chunkId).toBe("table");
  expect(applyRules(fused, ruleContext(query, facts, ["linked"])).map(({ chunkId }) => chunkId)).toEqual([
    "table",
    "depth",
  ]);
});
