import { expect, test } from "vitest";
import { chunkIds } from "../src/indexing/chunk-id.js";
import { composeEmbedText } from "../src/indexing/embed-text.js";
import { hashParts } from "../src/indexing/hash.js";

const chunk = (text: string, embedText = text): { embedText: string; text: string } => ({ embedText, text });

test("ids are pinned: they are stored in every index", () => {
  expect(chunkIds("guide.md", [chunk("alpha", "Guide\nalpha")])).toEqual([
    hashParts(["guide.md", "Guide\nalpha", "alpha"]),
  ]);
  expect(hashParts(["guide.md", "Guide\nalpha", "alpha"])).toMatchInlineSnapshot(`"IigCwyPG-ssUM1zGhBENNn"`);
});

test("ids are 22 characters of base64url", () => {
  for (const id of chunkIds("d", [chunk("a"), chunk("b")])) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
});

test("ids do not depend on the position: a chunk put in front changes no other", () => {
  const before = chunkIds("d", [chunk("a"), chunk("b")]);
  const after = chunkIds("d", [chunk("new"), chunk("a"), chunk("b")]);
  expect(after.slice(1)).toEqual(before);
});

test("equal chunks of a document are told apart", () => {
  const ids = chunkIds("d", [chunk("a"), chunk("a"), chunk("a")]);
  expect(new Set(ids).size).toBe(3);
});

test("document, embedded text and text all count, and do not run together", () => {
  const all = [
    ...chunkIds("d", [chunk("a", "t\na")]),
    ...chunkIds("e", [chunk("a", "t\na")]),
    ...chunkIds("d", [chunk("a", "u\na")]),
    ...chunkIds("d", [chunk("\na", "t")]),
    ...chunkIds("d1", [chunk("a", "t")]),
    ...chunkIds("d", [chunk("a", "1t")]),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test("the embedded text names page, section and context before the body", () => {
  const span = { startOffset: 0, endOffset: 6, startLine: 1, endLine: 1 };
  const draft = { headingPath: ["Guide", "Usage"], text: "run it", span };
  expect(composeEmbedText("Guide", draft)).toBe("Guide\nUsage\nrun it");
  expect(composeEmbedText("Handbook", draft)).toBe("Handbook\nGuide > Usage\nrun it");
  const shown = { headingPath: [], context: "class A:", text: "x", standaloneText: "y", span };
  expect(composeEmbedText(undefined, shown)).toBe("class A:\ny");
});
