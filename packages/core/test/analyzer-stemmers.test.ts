import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemHindi } from "@orama/stemmers/indian";
import { stemmer as stemRussian } from "@orama/stemmers/russian";
import { describe, expect, test } from "vitest";
import { stemEnglish } from "../src/analyzer/english-stemmer.js";
import { englishStemmer, loadStemmer, OTHER_STEMMERS_ID, stemByScript } from "../src/analyzer/stemmers.js";

function pairs(language: string): [word: string, stem: string][] {
  const text = readFileSync(new URL(`fixtures/snowball-3.1/${language}.txt`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ") as [string, string]);
}

describe("stemmers give what Snowball 3.1 gives", () => {
  test.each([
    ["english", 3508, stemEnglish],
    ["russian", 400, stemRussian],
    ["arabic", 400, stemArabic],
    ["hindi", 400, stemHindi],
  ] as const)("%s, %i words", (language, count, stem) => {
    const expected = pairs(language);
    expect(expected.length).toBe(count);
    expect(expected.filter(([word, stemmed]) => stem(word) !== stemmed)).toEqual([]);
  });
});

test.each([
  ["accepting", "accept"],
  ["generously", "generous"],
  ["dying", "die"],
  ["skies", "sky"],
  ["using", "use"],
  ["relational", "relat"],
  ["added", "add"],
  ["internal", "internal"],
  ["organize", "organiz"],
  ["by", "by"],
  ["", ""],
])("English: %s -> %s", (word, stem) => {
  expect(stemEnglish(word)).toBe(stem);
});

describe("stemByScript", () => {
  test.each([
    ["updates", "updat"],
    ["strasse", "strass"],
    ["łodzie", "łodzi"],
    ["пользователя", "пользовател"],
    ["الكتب", "كتب"],
    ["दुनिया", "दुनिय"],
    ["2nights", "2night"],
  ])("%s -> %s", (word, stem) => {
    expect(stemByScript(word, englishStemmer)).toBe(stem);
  });

  test.each(["is", "1234567", "γραμματα", "שלום", "𝒳𝒴𝒵"])("%s stays as it is", (word) => {
    expect(stemByScript(word, englishStemmer)).toBe(word);
  });

  test("a word is kept when its stemmer leaves nothing of it", () => {
    expect(stemByScript("word", { id: "nothing", stem: () => "" })).toBe("word");
  });
});

describe("loadStemmer", () => {
  test("gives the language's stemmer, and an id that names it", async () => {
    const spanish = await loadStemmer("es");
    expect(spanish.id).toBe("es-orama-stemmers-3.1.18");
    expect(spanish.stem("canciones")).toBe("cancion");
  });

  test("English is the default stemmer; `none` leaves words as they are", async () => {
    expect(await loadStemmer("en")).toBe(englishStemmer);
    expect((await loadStemmer("none")).stem("canciones")).toBe("canciones");
  });

  test.each(["da", "de", "es", "fi", "fr", "hu", "id", "it", "nl", "no", "pt", "ro", "sv", "tr"])(
    "%s is there",
    async (language) => {
      expect((await loadStemmer(language)).stem("abc")).toMatch(/^[a-z]+$/);
    },
  );

  test.each(["xx", "", "toString", "EN"])("%j is refused", async (language) => {
    await expect(loadStemmer(language)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      details: { setting: "language", value: language },
    });
  });
});

test("the id of the other stemmers names the installed version", () => {
  const manifest = createRequire(import.meta.url)
    .resolve("@orama/stemmers/russian")
    .replace(/dist[\\/].*$/, "package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  expect(OTHER_STEMMERS_ID).toBe(`orama-stemmers-${version}`);
});
