import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { analyzeFields, splitZones } from "../src/analyzer/fields.js";

const analyzer = createAnalyzer();

describe("analyzeFields", () => {
  test("each field on its own, with weighted occurrences and lengths", () => {
    const fields = analyzeFields(analyzer, {
      title: "HMR API",
      ancestors: ["Guide", "Hot reload"],
      heading: "hot.accept",
      path: "guide/api-hmr.md",
      body: "Call useHot to accept.",
      code: "accept()",
    });
    expect(Object.keys(fields)).toEqual(["title", "ancestors", "heading", "path", "body", "code"]);
    expect(fields.title).toEqual({
      terms: new Map(Object.entries({ hmr: 1, "=hmr": 1, api: 1, "=api": 1 })),
      length: 2,
    });
    expect(fields.ancestors?.length).toBe(3);
    expect(fields.ancestors?.terms.get("guid")).toBe(1);
    expect(fields.heading).toEqual({
      terms: new Map(Object.entries({ "hot.accept": 1, hot: 1, "=hot": 1, accept: 1, "=accept": 1 })),
      length: 3,
    });
    expect([...fields.path!.terms.keys()].filter((term) => !term.startsWith("="))).toEqual([
      "guid",
      "apihmr",
      "api",
      "hmr",
    ]);
    expect(fields.body?.length).toBe(5);
    expect(fields.body?.terms.get("usehot")).toBe(1);
    expect(fields.body?.terms.get("hot")).toBe(0.5);
    expect(fields.code).toEqual({ terms: new Map(Object.entries({ accept: 1, "=accept": 1 })), length: 1 });
  });

  test("fields without a term are absent", () => {
    expect(analyzeFields(analyzer, { title: "", ancestors: [], heading: "***", body: "", code: "{}" })).toEqual({});
  });

  test.each([
    ["docs/read.me/intro.md", ["doc", "read.me", "read", "me", "intro"]],
    ["docs/.env", ["doc", "env"]],
    [".gitignore", ["gitignor"]],
    ["lib/types.d.ts", ["lib", "types.d", "type", "d"]],
    ["LICENSE", ["licens"]],
  ])("path %s is taken without its ending", (path, expected) => {
    const { path: field } = analyzeFields(analyzer, { ancestors: [], path, body: "" });
    expect([...field!.terms.keys()].filter((term) => !term.startsWith("="))).toEqual(expected);
  });
});

describe("splitZones", () => {
  const span = { startOffset: 100, endOffset: 121, startLine: 1, endLine: 3 };

  test("without zones everything is body", () => {
    expect(splitZones({ text: "prose", span })).toEqual({ body: "prose", code: "" });
    expect(splitZones({ text: "prose", span, zones: [] })).toEqual({ body: "prose", code: "" });
  });

  test("zones go to code, by offsets in the document; what they separate stays separated", () => {
    const text = "before{one}mid{two}end";
    const zones = [
      { kind: "code", startOffset: 106, endOffset: 111 },
      { kind: "code", startOffset: 114, endOffset: 119 },
    ] as const;
    expect(splitZones({ text, span, zones })).toEqual({ body: "before\nmid\nend", code: "{one}\n{two}" });
  });

  test("a zone may be all of the chunk", () => {
    const zones = [{ kind: "code", startOffset: 100, endOffset: 104 }] as const;
    const { body, code } = splitZones({ text: "code", span, zones });
    expect(body.trim()).toBe("");
    expect(code).toBe("code");
  });
});
