import { isDocsearchError } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { markdownChunker, provider } from "../src/index.js";
import { CHARACTERS, chunker, document } from "./chunk.js";

describe("markdownChunker", () => {
  test("is an inert factory with a name", () => {
    expect(markdownChunker()).toMatchObject({ specVersion: 1, name: "markdown" });
    expect(provider).toMatchObject({ specVersion: 1, kind: "chunker", name: "markdown" });
    expect(provider.fromEnv({}).name).toBe("markdown");
  });

  test("its id names what changes the chunks", async () => {
    expect(chunker.id).toBe("markdown@1");
    expect((await markdownChunker({ mdx: true }).load()).id).toBe("markdown@1;mdx=true");
  });

  test("supports Markdown by media type or path", () => {
    for (const [mediaType, path, supported] of [
      ["text/markdown", "a", true],
      ["text/markdown; charset=utf-8", undefined, true],
      ["text/x-markdown", "a.txt", true],
      ["text/mdx", undefined, true],
      ["text/plain", "docs/README.MD", true],
      ["application/octet-stream", "a.mdx", true],
      ["text/plain", "a.txt", false],
      ["text/html", "a.md.html", false],
      ["text/plain", undefined, false],
    ] as const) {
      expect(chunker.supports({ mediaType, ...(path === undefined ? {} : { path }) }), `${mediaType} ${path}`).toBe(
        supported,
      );
    }
  });

  test("reads MDX by path, by media type, or by option", async () => {
    const text = "import A from 'a'\n";
    const zones = (path: string) => chunker.chunk(document(text, path), CHARACTERS).chunks[0]!.zones?.length;
    expect([zones("a.mdx"), zones("a.md")]).toEqual([1, undefined]);
    const always = await markdownChunker({ mdx: true }).load();
    const never = await markdownChunker({ mdx: false }).load();
    expect(always.chunk(document(text, "a.md"), CHARACTERS).chunks[0]!.zones).toHaveLength(1);
    expect(never.chunk(document(text, "a.mdx"), CHARACTERS).chunks[0]!).not.toHaveProperty("zones");
  });

  test("refuses sizes that cannot work, and says what was expected", () => {
    for (const [options, setting] of [
      [{ maxSize: 0 }, "maxSize"],
      [{ maxSize: Number.NaN }, "maxSize"],
      [{ maxSize: 100, overlap: 100 }, "overlap"],
      [{ maxSize: 100, overlap: -1 }, "overlap"],
      [{ maxSize: 100, overlap: Number.NaN }, "overlap"],
    ] as const) {
      let thrown: unknown;
      try {
        chunker.chunk(document("text"), { ...CHARACTERS, ...options });
      } catch (error) {
        thrown = error;
      }
      expect(isDocsearchError(thrown, "CONFIG_INVALID") && thrown.details.setting).toBe(setting);
    }
  });
});

test("the small manual by which ranking is worked out: a chunk for each section, blank ends left out", () => {
  const spansOf = (text: string): [number, number, readonly string[]][] =>
    chunker
      .chunk(document(text), CHARACTERS)
      .chunks.map(({ span, headingPath }) => [span.startOffset, span.endOffset, headingPath]);
  const hmr =
    "# HMR API\n\nThe hot API lets a module accept updates.\n\n## hot.accept\n\nCall it to accept HMR updates.\n";
  expect(spansOf(hmr)).toEqual([
    [0, 52, ["HMR API"]],
    [54, 99, ["HMR API", "hot.accept"]],
  ]);
  expect(spansOf("# Plugins\n\nA plugin may handle hot updates with handleHotUpdate.\n")).toEqual([
    [0, 64, ["Plugins"]],
  ]);
  expect(spansOf("# Build\n\nRun the build to make a bundle.\n")).toEqual([[0, 40, ["Build"]]]);
});
