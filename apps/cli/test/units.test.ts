import { SETTINGS } from "@docsearch/core/settings";
import { nameInProject } from "@docsearch/service/project";
import { describe, expect, test, vi } from "vitest";
import { describeMismatch } from "../src/output/describe-mismatch.js";
import { escapeLine, escapeText } from "../src/output/escape.js";
import { counted, lasting, sized } from "../src/output/numbers.js";
import { progressOn } from "../src/output/progress.js";
import { styler } from "../src/output/style.js";
import { buildProgram } from "../src/program.js";
import { environmentWith, nameOfSetting } from "../src/setting-flags.js";
import { shownLocation } from "../src/shown-location.js";

describe("escapeText", () => {
  test.each([
    ["plain äöü 日本 🦀 שלום", "plain äöü 日本 🦀 שלום"],
    ["tab\tand\nline", "tab\tand\nline"],
    ["\u001b[31mred\u0007", "\\x1b[31mred\\x07"],
    ["\u0000\r\u007f\u0085\u009b", "\\x00\\x0d\\x7f\\x85\\x9b"],
    ["a\u202eb\u2066c\u2029", "a\\u202eb\\u2066c\\u2029"],
  ])("%j", (text, expected) => {
    expect(escapeText(text)).toBe(expected);
  });

  test("escapeLine keeps a name on its line", () => {
    expect(escapeLine("a\nb\tc")).toBe("a\\x0ab\\x09c");
  });
});

describe("progress", () => {
  function shown(isTTY: boolean, steps: readonly number[]): string[] {
    vi.useFakeTimers();
    const written: string[] = [];
    const stream = { isTTY, columns: 20, write: (text: string) => written.push(text) > 0 };
    const progress = progressOn(stream as unknown as NodeJS.WriteStream);
    for (const step of steps) {
      vi.advanceTimersByTime(step);
      progress.update(() => `at ${performance.now()} of a long line`);
    }
    progress.clear();
    progress.clear();
    vi.useRealTimers();
    return written.map((text) => text.replace(/\d+/, "N"));
  }

  test("on a terminal: nothing in the first second, then one line that is rewritten and taken away", () => {
    expect(shown(true, [999])).toEqual([]);
    expect(shown(true, [999, 1, 50, 49, 1])).toEqual([
      expect.stringMatching(/^\r\u001b\[Kat N of a l/),
      expect.stringMatching(/^\r\u001b\[Kat N of a l/),
      "\r\u001b[K",
    ]);
  });

  test("elsewhere: plain lines, five seconds apart", () => {
    expect(shown(false, [1000, 1000, 1000, 1000, 1000, 1])).toEqual(["at N of a long line\n"]);
    expect(shown(false, [1000, 5000, 5000])).toHaveLength(3);
  });
});

test("styles are for terminals", () => {
  vi.stubEnv("FORCE_COLOR", undefined);
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("TERM", "xterm");
  expect(styler({ isTTY: true })("bold", "x")).toBe("\u001b[1mx\u001b[22m");
  expect(styler({ isTTY: false })("bold", "x")).toBe("x");
  vi.stubEnv("TERM", "dumb");
  expect(styler({ isTTY: true })("bold", "x")).toBe("x");
  vi.stubEnv("TERM", "xterm");
  vi.stubEnv("NO_COLOR", "1");
  expect(styler({ isTTY: true })("bold", "x")).toBe("x");
  vi.unstubAllEnvs();
});

test("numbers", () => {
  expect(counted(1, "document")).toBe("1 document");
  expect(counted(1398, "document")).toBe("1,398 documents");
  expect([sized(999), sized(1500), sized(12_345_678)]).toEqual(["999 B", "1.5 kB", "12.3 MB"]);
  expect([lasting(0.2), lasting(89), lasting(91), lasting(3600)]).toEqual(["1 s", "89 s", "2 min", "60 min"]);
});

test("what differs between two indexes", () => {
  const schema = { embedding: { id: "m@1", dimensions: 3 }, chunking: "md@1;size=800;overlap=0", analyzer: "a@1" };
  const other = { ...schema, embedding: null, chunking: "md@1;size=900" };
  expect(describeMismatch(schema, other)).toBe(
    "embedder m@1 of 3 dimensions in the index, no embedder now; chunking size=800 in the index, chunking size=900 now; chunking overlap=0 in the index, none now",
  );
});

test.each([
  ["/project/docs/a.md", "docs/a.md"],
  ["/project", ""],
  ["/project/..notes/a.md", "..notes/a.md"],
  ["/projects/a.md", "/projects/a.md"],
  ["/", "/"],
])("name of %s", (file, name) => {
  expect(nameInProject("/project", file)).toBe(name);
});

test("every flag of the settings table is one of search, and wins over the environment", () => {
  const search = buildProgram().commands.find((command) => command.name() === "search");
  const flags = SETTINGS.flatMap(({ flag }) => (flag === undefined ? [] : [`--${flag}`]));
  expect(search?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
  const env = environmentWith({ chunkSize: "300", limit: 5 }, { DOCS_CHUNK_SIZE: "800", DOCS_FUSION: "rrf" });
  expect(env).toEqual({ DOCS_CHUNK_SIZE: "300", DOCS_FUSION: "rrf" });
  expect(nameOfSetting("DOCS_CHUNK_SIZE", { chunkSize: "300" })).toBe("--chunk-size");
  expect(nameOfSetting("DOCS_CHUNK_SIZE", {})).toBe("DOCS_CHUNK_SIZE");
});

test("a password in a location is not shown", () => {
  expect(shownLocation("postgres://me:secret@host:5432/db")).toBe("postgres://me:***@host:5432/db");
  expect(shownLocation("/a/b@c:d/index.db")).toBe("/a/b@c:d/index.db");
  expect(shownLocation("postgres://host/db")).toBe("postgres://host/db");
});
