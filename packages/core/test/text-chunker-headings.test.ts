import { describe, expect, test } from "vitest";
import { chunk, outline } from "./text-chunk.js";
import { MANUAL, RFC } from "./text-samples.js";

const BODY = "The ships come in with the tide, and\nleave when it turns.";

describe("underlined headings", () => {
  test("each kind of rule is a level, in the order in which they come", () => {
    const text = `Harbour\n=======\n\n${BODY}\n\nPiers\n-----\n\n${BODY}\n\nNorth pier\n~~~~~~~~~~\n\n${BODY}\n\nLamps\n-----\n${BODY}\n`;
    expect(outline(text)).toEqual(["Harbour (1)", "  Piers (7)", "    North pier (13)", "  Lamps (19)"]);
    const { chunks, title } = chunk(text);
    expect(title).toBe("Harbour");
    expect(chunks.map(({ headingPath, anchor }) => [headingPath.join(" > "), anchor])).toEqual([
      ["Harbour", "harbour"],
      ["Harbour > Piers", "piers"],
      ["Harbour > Piers > North pier", "north-pier"],
      ["Harbour > Lamps", "lamps"],
    ]);
  });

  test("a rule above and below is a kind of its own", () => {
    expect(outline("=======\nHarbour\n=======\n\nx\n\nPiers\n=====\n\ny\n")).toEqual(["Harbour (2)", "  Piers (7)"]);
  });

  test("a double rule under the last line of a paragraph counts if it is as long", () => {
    expect(outline(`${BODY}\nPiers of the harbour\n====================\n${BODY}\n`)).toEqual([
      "Piers of the harbour (3)",
    ]);
    expect(outline(`${BODY}\nPiers of the harbour\n========\n${BODY}\n`)).toEqual([]);
    expect(outline(`${BODY}\nPiers of the harbour\n--------------------\n${BODY}\n`)).toEqual([]);
  });

  test("versions, as changelogs have them", () => {
    expect(outline("CHANGES\n=======\n\n2.0 (2026-11-30)\n----------------\n\n* a\n\n1.9.3\n-----\n\n* b\n")).toEqual([
      "CHANGES (1)",
      "  2.0 (2026-11-30) (4)",
      "  1.9.3 (9)",
    ]);
    expect(outline("Costs:\n10.50\n20.25\n=====\n30.75\n")).toEqual([]);
  });

  test("rules that separate and tables are none", () => {
    for (const text of [
      `${BODY}\n\n--------\n\n${BODY}\n`,
      "That is all.\n------------\n\nMore\n",
      "pier        depth\n-----------------\nnorth       4 m\n",
      "pier\tdepth\n-----------\nnorth\t4 m\n",
      "A long line of text, the rule is too short\n---\n\nx\n",
      "----\n====\n\nx\n",
    ]) {
      expect(outline(text), text).toEqual([]);
    }
  });
});

describe("wiki headings", () => {
  test("levels are the number of marks", () => {
    expect(outline(" = Harbour = \n Text . \n = = Piers = = \n Text . \n = = = North = = = \n Text . \n")).toEqual([
      "Harbour (1)",
      "  Piers (3)",
      "    North (5)",
    ]);
    expect(outline("== Piers ==\nText.\n=== North ===\nText.\n")).toEqual(["Piers (1)", "  North (3)"]);
  });

  test("what only has the marks is none", () => {
    for (const text of ["==2090657== lost\n==2090657==\n", "=a=\n", "a = b =\n", "== ==\n", "= 1 =\n", "==Piers=\n"])
      expect(outline(text), text).toEqual([]);
  });
});

describe("numbered headings", () => {
  test("in sequence, with their depth", () => {
    const text = `1. Ships\n\n${BODY}\n\n1.1 Large ships\n\n${BODY}\n\n1.2 Small ships\n\n${BODY}\n\n2. Piers\n\n${BODY}\n`;
    expect(outline(text)).toEqual(["1. Ships (1)", "  1.1 Large ships (6)", "  1.2 Small ships (11)", "2. Piers (16)"]);
    expect(chunk(text).title).toBeUndefined();
  });

  test("roman numbers, and arabic ones anew under each", () => {
    const text = `I. Ships\n\n${BODY}\n\n1. Sails\n\n${BODY}\n\n2. Engines\n\n${BODY}\n\nII. Piers\n\n${BODY}\n\n1. Wood\n\n${BODY}\n`;
    expect(outline(text)).toEqual([
      "I. Ships (1)",
      "  1. Sails (6)",
      "  2. Engines (11)",
      "II. Piers (16)",
      "  1. Wood (21)",
    ]);
  });

  test("a number may be missing, three may not", () => {
    const numbered = (...numbers: number[]): string => numbers.map((n) => `${n}. Pier\n\n${BODY}\n\n`).join("");
    expect(outline(numbered(1, 2, 4))).toHaveLength(3);
    expect(outline(numbered(1, 2, 6))).toHaveLength(2);
    expect(outline(numbered(2, 3, 4))).toEqual([]);
  });

  test("lists, sentences, contents, years, dates and a lone number are none", () => {
    for (const text of [
      "1. Ships\n\n2. Piers\n\n3. Lamps\n\nThat is all there is.\n",
      "1. Ships\n\n   They come in.\n\n2. Piers\n\n   They stay.\n",
      `1. Look at the ship.\n\n${BODY}\n\n2. Look at the pier.\n\n${BODY}\n`,
      `1. Do this:\n\n${BODY}\n\n2. Do that:\n\n${BODY}\n`,
      `1. Ships .......... 3\n\n${BODY}\n\n2. Piers .......... 7\n\n${BODY}\n`,
      `1. ships\n\n${BODY}\n\n2. piers\n\n${BODY}\n`,
      `1 May 2026 Ada\n\n${BODY}\n\n2 May 2026 Ben\n\n${BODY}\n`,
      `${BODY}\n\n1914 The war\n\n${BODY}\n\n1918 The peace\n\n${BODY}\n`,
      `${BODY}\n\n1. Ships\n\n${BODY}\n`,
      `1. Ships\n${BODY}\n\n2. Piers\n${BODY}\n`,
    ]) {
      expect(outline(text), text).toEqual([]);
    }
  });
});

describe("chapters and parts", () => {
  test("with and without titles", () => {
    const text = `PART I\n\nCHAPTER 1. The tide\n\n${BODY}\n\nCHAPTER 2\n\n${BODY}\n\nPART II\n\nCHAPTER 3\n\n${BODY}\n`;
    expect(outline(text)).toEqual([
      "PART I (1)",
      "  CHAPTER 1. The tide (3)",
      "  CHAPTER 2 (8)",
      "PART II (13)",
      "  CHAPTER 3 (15)",
    ]);
  });

  test("sentences, references and contents are none", () => {
    for (const text of [
      `${BODY}\n\nChapter 1 describes ships\n\n${BODY}\n\nChapter 2 describes piers\n\n${BODY}\n`,
      `${BODY}\n\nSection 6(a), it says\n\n${BODY}\n\nSection 7(b), again\n\n${BODY}\n`,
      "Chapter 1\n\nChapter 2\n\nChapter 3\n\nThe end of the contents.\n",
    ]) {
      expect(outline(text), text).toEqual([]);
    }
  });
});

describe("headings in capitals", () => {
  test("alone on their line, at least two of them", () => {
    expect(outline(`SHIPS AND BOATS\n\n${BODY}\n\nPIERS:\n\n${BODY}\n`)).toEqual(["SHIPS AND BOATS (1)", "PIERS (6)"]);
    expect(outline(`${BODY}\n\nIMPORTANT\n\n${BODY}\n`)).toEqual([]);
  });

  test("the first line of the text is a title above the first of them", () => {
    expect(outline(`HARBOUR GUIDE\n\nSHIPS\n\n${BODY}\n\nPIERS\n\n${BODY}\n`)).toEqual([
      "HARBOUR GUIDE (1)",
      "  SHIPS (3)",
      "  PIERS (8)",
    ]);
  });

  test("above text that is indented, as in help texts", () => {
    expect(outline("USAGE:\n    tide [options]\n\nOPTIONS:\n    -h   help\n    -v   version\n")).toEqual([
      "USAGE (1)",
      "OPTIONS (4)",
    ]);
  });

  test("shouting, data, lists and the heads of pages are none", () => {
    for (const text of [
      `STOP!\n\n${BODY}\n\nGO AWAY!\n\n${BODY}\n`,
      `ALPHA = 1;\n\n${BODY}\n\nBETA = 2;\n\n${BODY}\n`,
      "NORTH PIER\n\nSOUTH PIER\n\nEAST PIER\n\nAll of them are lit.\n",
      `${BODY}\n\nACME HARBOUR\n\n${BODY}\n\nACME HARBOUR\n\n${BODY}\n\nACME HARBOUR\n\n${BODY}\n`,
      `${BODY}\n\fACME LTD\n\n${BODY}\n\fACME INC\n\n${BODY}\n`,
    ]) {
      expect(outline(text), text).toEqual([]);
    }
  });
});

describe("texts whose body is indented", () => {
  test("what stands to the left is a heading, as in manual pages", () => {
    const text =
      "NAME\n       tide - tells the tide\n\nDESCRIPTION\n       The tide is told for one harbour, once a\n       minute, until the program is stopped.\n\n   Heights\n       Heights are in metres, and are those above\n       the mean.\n\nSEE ALSO\n       moon(1)\n";
    expect(outline(text)).toEqual(["NAME (1)", "DESCRIPTION (4)", "  Heights (8)", "SEE ALSO (12)"]);
  });

  test("an RFC: numbers, names, pages", () => {
    expect(outline(RFC)).toEqual([
      "The Tide Announcement Protocol (6)",
      "  Status of This Memo (8)",
      "  Abstract (13)",
      "  Table of Contents (19)",
      "  1. Introduction (30)",
      "  2. Frames (38)",
      "    2.1. Heights (48)",
      "  3. Security Considerations (63)",
      "  Author's Address (68)",
    ]);
    expect(chunk(RFC).title).toBe("The Tide Announcement Protocol");
  });

  test("a page of much code has no such body", () => {
    const example = "Open the gate\n\n    open(gate, { now: true });\n    wait(gate);\n    log(gate);\n\n";
    expect(outline(example.repeat(6))).toEqual([]);
  });
});

describe("the title", () => {
  test("is the first line, when it stands alone above text", () => {
    const text = `Harbour control\n\n${BODY}\n`;
    expect(chunk(text)).toMatchObject({
      title: "Harbour control",
      outline: [{ heading: "Harbour control", level: 1 }],
    });
    expect(chunk(text).chunks[0]!.headingPath).toEqual(["Harbour control"]);
  });

  test("has the other headings under it", () => {
    expect(outline(MANUAL)).toEqual([
      "Harbour control (1)",
      "  Arrivals (6)",
      "    Assigning a berth (13)",
      "  Departures (37)",
    ]);
    expect(chunk(MANUAL).title).toBe("Harbour control");
  });

  test("is not a first line that is something else", () => {
    for (const line of [
      "Good evening.",
      "Dear all,",
      "To do:",
      "Why are there two tides?",
      "tides and moons",
      "- Tides",
      "https://harbour.example/tides",
      "$ tide --now",
      "Copyright 2026 the harbour office",
      "30 November 2026, Ada",
      "north   4 m",
      "A line that is far too long to be the title of a text about the tide and the moon",
    ]) {
      expect(chunk(`${line}\n\n${BODY}\n`).title, line).toBeUndefined();
    }
    expect(chunk(`Harbour control\n${BODY}\n`).title).toBeUndefined();
    expect(chunk("Harbour control\n\nTide\n\nMoon\n").title).toBeUndefined();
  });

  test("is the first heading, when no other is of its level", () => {
    expect(chunk(`Tide\n====\n\n${BODY}\n\nMoon\n----\n\n${BODY}\n`).title).toBe("Tide");
    expect(chunk(`Tide\n====\n\n${BODY}\n\nMoon\n====\n\n${BODY}\n`).title).toBeUndefined();
  });
});

describe("sections", () => {
  test("a heading that a deeper one follows at once joins the section under it", () => {
    const { chunks } = chunk(`Harbour\n=======\n\nPiers\n-----\n\n${BODY}\n\nLamps\n-----\n\n${BODY}\n`);
    expect(chunks.map(({ headingPath, span }) => [headingPath.join(" > "), span.startLine])).toEqual([
      ["Harbour > Piers", 1],
      ["Harbour > Lamps", 10],
    ]);
  });

  test("pieces of a section have its path, and only the first begins it", () => {
    const { chunks } = chunk(`Piers\n=====\n\n${BODY}\n\n${BODY}\n\nLamps\n=====\n\n${BODY}\n`, { maxSize: 90 });
    expect(chunks.map(({ headingPath, startsSection }) => [headingPath, startsSection])).toEqual([
      [["Piers"], undefined],
      [["Piers"], false],
      [["Lamps"], undefined],
    ]);
  });

  test("headings of one name have anchors of their own", () => {
    const { outline: entries } = chunk(`Tide\n====\n\nx\n\nTide\n====\n\ny\n`);
    expect(entries.map(({ anchor }) => anchor)).toEqual(["tide", "tide-1"]);
  });

  test("where headings are marked, unmarked lines are none", () => {
    const text = `Piers\n=====\n\n${BODY}\n\nLamps\n=====\n\nNORTH SIDE\n\n${BODY}\n\nSOUTH SIDE\n\n${BODY}\n`;
    expect(outline(text)).toEqual(["Piers (1)", "Lamps (7)"]);
  });
});
