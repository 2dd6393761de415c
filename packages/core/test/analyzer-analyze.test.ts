import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANALYZER_ID, createAnalyzer } from "../src/analyzer/analyze.js";
import { MAX_TERM_LENGTH, type Term } from "../src/analyzer/expand.js";
import { TokenScanner } from "../src/analyzer/scan.js";
import { loadStemmer } from "../src/analyzer/stemmers.js";

const analyzer = createAnalyzer();

const MARKS = { word: "", whole: "/w", part: "/p", joined: "/j", dotted: "/d", exact: "/e" } as const;

/** Terms with the mark of their class, as in the worked examples; exact forms left out. */
function show(text: string, terms: readonly Term[] = analyzer.analyze(text)): string {
  return terms
    .filter((term) => term.class !== "exact")
    .map((term) => term.term + MARKS[term.class])
    .join(" ");
}

function exactForms(text: string): string[] {
  return analyzer
    .analyze(text)
    .filter((term) => term.class === "exact")
    .map(({ term }) => term);
}

function surfaces(text: string): string[] {
  return analyzer.analyze(text).map(({ term, start, end }) => `${text.slice(start, end)}=${term}`);
}

function count(text: string): { terms: Record<string, number>; length: number } {
  const terms = new Map<string, number>();
  const length = analyzer.count(text, terms);
  return { terms: Object.fromEntries(terms), length };
}

describe("worked examples", () => {
  test.each([
    ["How do I use useEffect?", "how do i use useeffect/w use/p effect/p"],
    ["getHTTPResponseCode_v2", "gethttpresponsecodev2/w get/p http/p respons/p code/p v/p 2/p"],
    ["my_snake_case.json", "my_snake_case.json/d mysnakecas/w my/p snake/p case/p json"],
    ["Don't repeat users' naïve Cafés", "dont repeat user naiv cafe"],
    ["C++ and C# code", "c++ and c# code"],
    ["URLs", "url"],
    ["WebSockets", "websocket/w web/p socket/p"],
    ["state-of-the-art pre-processing", "stateoftheart/j state of the art preprocess/j pre process"],
    ["utf8", "utf8/w utf/p 8/p"],
    ["Node.js 3.11.2", "node.js/d node js 3.11.2/d 3 11 2"],
    ["黑豹队的防守只丢了308分", "黑豹 豹队 队的 的防 防守 守只 只丢 丢了 308 分"],
    ["ภาษาไทยดีมาก", "ภา าษ ษา าไ ไท ทย ยดี ดีม มา าก"],
    ["Пользователи и пользователя", "пользовател и пользовател"],
    ["Über die Straße", "uber die strass"],
    ["Łódź, Ørsted, Đà Nẵng, þing", "lodz orst da nang thing"],
    ["Æther œuvre ığdır", "aether oeuvr igdir"],
    ["getÜberName", "getubernam/w get/p uber/p name/p"],
    ["größeBerechnen2", "grosseberechnen2/w gross/p berechnen/p 2/p"],
    ["ИмяФайла_v2", "имяфайлаv2/w им/p файл/p v/p 2/p"],
    ["ÉTATSérie ÜBER", "etatseri/w etat/p seri/p uber"],
  ])("%s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });
});

describe("words", () => {
  test("exact forms: words of three or more letters a-z, capitalised ones too, no numbers and no identifiers", () => {
    expect(exactForms("The URLs of useEffect, naïve, 2027, C++ is up")).toEqual(["=the", "=urls"]);
  });

  test.each([
    ["the skipper's duty", "the skipper duti"],
    ["l’eau d'Artagnan qu'il rock'n'roll", "eau artagnan il rocknrol"],
    [
      "HTMLReportWriter XMLHttpRequest iOS",
      "htmlreportwrit/w html/p report/p writer/p xmlhttprequest/w xml/p http/p request/p io/w i/p os/p",
    ],
    ["__init__ _private snake_ MAX_RETRY_COUNT", "init privat snake maxretrycount/w max/p retri/p count/p"],
    ["größe_max Größe", "grossemax/w gross/p max/p gross"],
    ["2027-02-14 --no-verify -q", "20270214/j 2027 02 14 noverifi/j no verifi q"],
    ["retry.max=5 std::vector<int> node:fs", "retry.max/d retri max 5 std vector int node fs"],
    ["foo.bar() .NET ops@harbour.test 50%", "foo.bar/d foo bar net op harbour.test/d harbour test 50"],
    ["pre‑built pre‐built", "prebuilt/j pre built prebuilt/j pre built"],
    ["a-b.c‑d", "a-b.c-d/d a b c d"],
    ["F# g++ a++b x#y #1", "f# g++ a++ b x y 1"],
    ["foo++ bar#", "foo bar"],
    ["soft\u00ADware zero\u200Dwidth", "softwar zerowidth"],
    ["ﬁle ＦＵＬＬ ℂ x²", "file full c x2"],
    ["½ ⑴ ﷺ", "12 1 صلىاللهعليهوسلم"],
    ["❤️ 👩‍💻 1️⃣", "1"],
    ["ΟΔΟΣ ὁδός", "οδος οδος"],
    ["İstanbul", "istanbul"],
    ["الكتب دुनиа दुनिया", "كتب دुनиа दुनिय"],
    ["𝒳 𠮷野家", "x 𠮷野 野家"],
  ])("%s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  test.each(["", " ", "...", "-- ' \" \\ * ( ) : ^ + ~ @", "\uD800", "\u{1F6A2}", "___", "\u0301"])(
    "%j has no term",
    (text) => {
      expect(analyzer.analyze(text)).toEqual([]);
      expect(count(text)).toEqual({ terms: {}, length: 0 });
    },
  );

  test.each([
    ["crème", "cre\u0300me"],
    ["Ångström", "A\u030Angstro\u0308m"],
    ["예약", "예약".normalize("NFD")],
    ["ガイド", "ガイド".normalize("NFD")],
    ["ガイド", "ｶﾞｲﾄﾞ"],
    ["葛城", "葛\u{E0100}城"],
    ["Zoë", "ZOE"],
    ["й", "и\u0306"],
    ["שָׁלוֹם", "שלום"],
    ["\uFB2A\u05B8לוֹם", "שלום"],
    ["مَرْحَبًا", "مرحبا"],
    ["كـــتاب", "كتاب"],
    ["за\u0301мок", "замок"],
    ["кра\u0301сный йо\u0301д", "красный йод"],
    ["гра\u0300д", "град"],
  ])("%s and %s have the same terms", (one, other) => {
    expect(show(one)).toBe(show(other));
    expect(show(one)).not.toBe("");
  });

  test("marks of other scripts tell letters apart", () => {
    expect(show("й")).not.toBe(show("и"));
    expect(show("ёлка елка")).toBe("елк елк");
    expect(show("กา กี")).toBe("กา กี");
  });
});

describe("scripts without blanks", () => {
  test.each([
    ["设定", "设定"],
    ["ホームディレクトリ", "ホー ーム ムデ ディ ィレ レク クト トリ"],
    ["설정 파일", "설정 파일"],
    ["ພາສາລາວ", "ພາ າສ ສາ າລ ລາ າວ"],
    ["ភាសាខ្មែរ", "ភាសា សាខ្ ខ្មែ មែរ"],
    ["မြန်မာ", "မြန် န်မာ"],
    ["React组件API", "react 组件 api"],
    ["猫", "猫"],
    ["人々", "人々"],
  ])("%s", (text, expected) => {
    expect(show(text)).toBe(expected);
  });
});

test("offsets: terms stand for their words, parts for their parts", () => {
  expect(surfaces("a useEffect, pre-built")).toEqual([
    "a=a",
    "useEffect=useeffect",
    "use=use",
    "Effect=effect",
    "pre-built=prebuilt",
    "pre=pre",
    "pre==pre",
    "built=built",
    "built==built",
  ]);
  expect(surfaces("(l’eau don't)")).toEqual(["eau=eau", "eau==eau", "don't=dont", "don't==dont"]);
  expect(surfaces("C# 清理缓存")).toEqual(["C#=c#", "清理=清理", "理缓=理缓", "缓存=缓存"]);
});

test("count: parts count half, exact forms count but add no length", () => {
  expect(count("Use useState; use it")).toEqual({
    terms: { use: 2.5, "=use": 2, usest: 1, state: 0.5, it: 1 },
    length: 5,
  });
  expect(count("Node.js")).toEqual({ terms: { "node.js": 1, node: 1, "=node": 1, js: 1 }, length: 3 });
});

test("count adds to what is there", () => {
  const terms = new Map([["hot", 2]]);
  expect(analyzer.count("hot", terms)).toBe(1);
  expect(terms.get("hot")).toBe(3);
});

test("the id names version and stemmers", async () => {
  const id = "docsearch-analyzer@3 latin=english-snowball-3.1 other=orama-stemmers-3.1.18";
  expect(ANALYZER_ID).toBe(id);
  expect(createAnalyzer().id).toBe(id);
  const spanish = createAnalyzer({ stemmer: await loadStemmer("es") });
  expect(spanish.id).toBe("docsearch-analyzer@3 latin=es-orama-stemmers-3.1.18 other=orama-stemmers-3.1.18");
  expect(show("", spanish.analyze("canciones пользователя"))).toBe("cancion пользовател");
});

describe("hostile input takes linear time and few terms", () => {
  const MEGABYTE = 1_000_000;
  test.each([
    ["dots", ".".repeat(MEGABYTE), 0, 0],
    ["quotes", '"'.repeat(MEGABYTE), 0, 0],
    ["underscores", "_".repeat(MEGABYTE), 0, 0],
    ["one lower-case word", "a".repeat(MEGABYTE), 1, 1],
    ["one upper-case word", "A".repeat(MEGABYTE), 1, 1],
    ["one word of changing case", "aB".repeat(MEGABYTE / 2), 1, 1],
    ["one word with accents", "é".repeat(MEGABYTE), 1, 1],
    ["marks without a letter", "\u0301".repeat(MEGABYTE), 0, 0],
    ["one letter with many marks", `a${"\u0301".repeat(MEGABYTE)}`, 1, 1],
    ["a dotted name", "a.b.c.d.".repeat(MEGABYTE / 8), 4, MEGABYTE / 2],
    ["a hyphenated word", "a-".repeat(MEGABYTE / 2), 1, MEGABYTE / 2],
    ["apostrophes", "a'".repeat(MEGABYTE / 2), 3, 3876],
    ["Chinese without punctuation", "重启".repeat(MEGABYTE / 2), 2, MEGABYTE - 1],
    ["Thai letters with marks", "ดี".repeat(MEGABYTE / 2), 1, MEGABYTE / 2 - 1],
    ["surrogate halves", "\uDC00\uD800".repeat(MEGABYTE / 2), 1, 1],
    ["ligatures of eighteen letters", "ﷺ".repeat(MEGABYTE), 1, 1],
    ["letters outside the basic plane", `a${"𐐨".repeat(MEGABYTE / 2)}`, 1, 1],
    ["ignored characters", `a${"\u00AD".repeat(MEGABYTE)}`, 1, 1],
  ])("%s", (_, text, distinct, length) => {
    const terms = new Map<string, number>();
    expect(analyzer.count(text, terms)).toBe(length);
    expect(terms.size).toBe(distinct);
    for (const term of terms.keys()) {
      expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
      expect(term.isWellFormed()).toBe(true);
    }
  });
});

describe("properties", () => {
  const letters = fc.constantFrom(..."abcXYZ09_éßйяมีไกة中文字ガ한र्के𠮷");
  const signs = fc.constantFrom(" ", " ", ".", "-", "'", "’", "#", "+", "++", "\u00AD", "\u0301", '"', "\n", "\uFE0F");
  const mixed = fc
    .array(fc.oneof({ weight: 4, arbitrary: letters }, signs), { maxLength: 60 })
    .map((all) => all.join(""));
  const text = fc.oneof(mixed, fc.string({ unit: "binary", maxLength: 60 }), fc.string({ unit: "grapheme" }));

  const termsOf = (input: string, by = analyzer): Map<string, number> => {
    const terms = new Map<string, number>();
    by.count(input, terms);
    return terms;
  };

  test("a term is well formed, not empty, not long, and stands for a range of the text", () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const { term, start, end } of analyzer.analyze(input)) {
          expect(term).not.toBe("");
          expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
          expect(term.isWellFormed()).toBe(true);
          expect(term).not.toMatch(/[\s"/]/);
          expect(0 <= start && start < end && end <= input.length).toBe(true);
        }
      }),
    );
  });

  test("analyze and count agree", () => {
    fc.assert(
      fc.property(text, (input) => {
        const expected = new Map<string, number>();
        for (const { term, class: termClass } of analyzer.analyze(input)) {
          expected.set(term, (expected.get(term) ?? 0) + (termClass === "part" ? 0.5 : 1));
        }
        expect(termsOf(input)).toEqual(expected);
      }),
    );
  });

  test("a used cache, an empty one and one that was emptied give the same", () => {
    const flooded = createAnalyzer();
    const flood = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(" ");
    fc.assert(
      fc.property(text, (input) => {
        const first = termsOf(input, createAnalyzer());
        expect(termsOf(input)).toEqual(first);
        expect(termsOf(input)).toEqual(first);
        expect(termsOf(input, flooded)).toEqual(first);
      }),
    );
    const before = flooded.analyze("The useEffect of it");
    flooded.count(flood, new Map());
    expect(flooded.analyze("The useEffect of it")).toEqual(before);
  });

  test("two texts with a blank between them have the terms of both", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const both = termsOf(one);
        const length = analyzer.count(other, both) + analyzer.count(one, new Map());
        const joined = new Map<string, number>();
        expect(analyzer.count(`${one} ${other}`, joined)).toBe(length);
        expect(joined).toEqual(both);
      }),
    );
  });

  test("a text has every term of whatever is cut from it at the borders of tokens", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (input, from, to) => {
        const scanner = new TokenScanner(input);
        const tokens: [number, number][] = [];
        while (scanner.next()) tokens.push([scanner.start, scanner.end]);
        if (tokens.length === 0) return;
        const first = tokens[from % tokens.length]!;
        const last = tokens[to % tokens.length]!;
        const cut = input.slice(Math.min(first[0], last[0]), Math.max(first[1], last[1]));
        const all = termsOf(input);
        for (const term of termsOf(cut).keys()) expect(all.has(term), term).toBe(true);
      }),
    );
  });

  test("tokens are those of the regular expression that defines them", () => {
    const RAW = /[\p{L}\p{N}\p{M}_]+(?:[-.'’‐‑][\p{L}\p{N}\p{M}_]+)*(?:\+\+|#(?![\p{L}\p{N}\p{M}_]))?/gu;
    fc.assert(
      fc.property(text, (input) => {
        const plain = input.replace(/[\u00AD\p{Variation_Selector}]|\u200D/gu, "");
        const scanner = new TokenScanner(plain);
        const tokens: string[] = [];
        while (scanner.next()) tokens.push(plain.slice(scanner.start, scanner.end));
        expect(tokens).toEqual(plain.match(RAW) ?? []);
      }),
    );
  });
});
