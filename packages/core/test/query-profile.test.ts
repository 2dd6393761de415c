import { describe, expect, test } from "vitest";
import { isIdentifier, profileQuery } from "../src/search/query-profile.js";

test.each([
  ["router", false],
  ["Router", false],
  ["pathRouter", true],
  ["path_router", true],
  ["a.b.c", true],
  ["open()", true],
  ["std::vec", true],
  ["e.g", false],
  ["HTTP", false],
])("%s can only be a name: %s", (word, expected) => {
  expect(isIdentifier(word)).toBe(expected);
});

describe("kinds of queries", () => {
  test.each([
    ["Router", "symbol"],
    ["class UserStore", "symbol"],
    ["the open() function", "symbol"],
    ["how routes are stored", "sentence"],
    ["", "sentence"],
    ["x ".repeat(250), "issue"],
    ["it fails\n```\ncode\n```", "issue"],
    ['File "a/b.py", line 3, in join', "issue"],
    ["TypeError: x\n    at run (src/a.js:10:5)", "issue"],
  ])("%j is a %s", (query, kind) => {
    expect(profileQuery(query).kind).toBe(kind);
  });
});

describe("what a query names", () => {
  test("a name that is the whole query", () => {
    expect(profileQuery("class UserStore").symbols).toEqual([{ name: "UserStore", certainty: 1 }]);
  });

  test("a qualified name in a sentence, and the path that it may be", () => {
    const { symbols, paths } = profileQuery("where is UserStore.save called");
    expect(symbols).toEqual([
      { name: "save", certainty: 0.3 },
      { name: "UserStore", certainty: 0.15 },
    ]);
    expect(paths).toEqual([{ kind: "name", path: "UserStore/save", weight: 0.5 }]);
  });

  test("a capitalised word, unless it begins the sentence", () => {
    expect(profileQuery("Where does the Router match").symbols).toEqual([{ name: "Router", certainty: 0.2 }]);
  });

  test("frames of a stack trace: the last one counts most", () => {
    const { symbols, paths } = profileQuery(
      'File "/srv/app/main.py", line 9, in run\nFile "/lib/pkg/core/table.py", line 3, in join',
    );
    expect(paths).toEqual([
      { kind: "path", path: "/lib/pkg/core/table.py", weight: 1 },
      { kind: "path", path: "/srv/app/main.py", weight: 0.8 },
    ]);
    expect(symbols).toEqual([
      { name: "join", certainty: 0.4 },
      { name: "run", certainty: 0.4 },
    ]);
  });

  test("frames of JavaScript: the first one counts most", () => {
    const { symbols, paths } = profileQuery(
      "TypeError: no\n    at ZodObject._parse (zod/src/v3/types.ts:2400:12)\n    at handle (src/app.ts:10:3)",
    );
    expect(paths.slice(0, 2)).toEqual([
      { kind: "path", path: "zod/src/v3/types.ts", weight: 1 },
      { kind: "path", path: "src/app.ts", weight: 0.8 },
    ]);
    expect(symbols.filter(({ certainty }) => certainty === 0.4).map(({ name }) => name)).toEqual(["_parse", "handle"]);
  });

  test("a frame of JavaScript", () => {
    const { symbols, paths } = profileQuery("Error: no\n    at Server.listen (lib/net.js:10:5)");
    expect(paths.map(({ path }) => path)).toContain("lib/net.js");
    expect(symbols).toContainEqual({ name: "listen", certainty: 0.4 });
  });

  test("a path", () => {
    expect(profileQuery("what is in src/core/table.py for").paths[0]).toEqual({
      kind: "path",
      path: "src/core/table.py",
      weight: 1,
    });
  });
});
