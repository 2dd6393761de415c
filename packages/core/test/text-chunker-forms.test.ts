import { describe, expect, test } from "vitest";
import { chunk, outline, texts } from "./text-chunk.js";
import { LOG, MAIL } from "./text-samples.js";

const BODY = "The ships come in with the tide, and\nleave when it turns.";

describe("logs", () => {
  test("are cut between records, which have their further lines with them", () => {
    const parts = texts(LOG.slice(0, LOG.indexOf("2026-11-30T09:09")), 200);
    expect(parts.map((part) => part.split("\n")[0])).toEqual([
      "2026-11-30T09:00:00Z ERROR gate 0 moved",
      "2026-11-30T09:03:00Z INFO gate 3 moved",
      "2026-11-30T09:07:00Z ERROR gate 7 moved",
    ]);
    expect(parts[2]).toContain("at main (main.js:3)");
  });

  test("have no headings and no title", () => {
    const log = `GATE LOG\n\n${"12:00:01 open\n".repeat(5)}\nSECOND DAY\n\n${"12:00:01 shut\n".repeat(5)}`;
    expect(chunk(log)).toMatchObject({ outline: [], chunks: [{ headingPath: [] }] });
    expect(chunk(log).title).toBeUndefined();
  });

  test("a record that is too long is cut at lines, then words", () => {
    const record = `2026-11-30 10:00:00 ${"word ".repeat(30).trimEnd()}\n`;
    const parts = texts(record.repeat(3), 100);
    expect(parts.every((part) => part.length <= 100 && !/\bwor$|^or?d\b/.test(part))).toBe(true);
    expect(parts.join("\n").match(/word/g)).toHaveLength(90);
  });

  test("times of many programs", () => {
    for (const line of [
      "2026-11-30T09:00:00.123Z INFO up",
      "2026-11-30 09:00:00,123 INFO up",
      "2026/11/30 09:00:00 [notice] up",
      "[30/Nov/2026:09:00:00 +0000] up",
      '127.0.0.1 - - [30/Nov/2026:09:00:00 +0000] "GET /" 200',
      "Nov 30 09:00:00 host program[1]: up",
      "<13>Nov  3 09:00:00 host program: up",
      "[   12.345678] kernel: up",
      "09:00:00.123 up",
      "INFO  2026-11-30 09:00:00 up",
    ]) {
      const text = `GATES\n\n${`${line}\n`.repeat(4)}\nLAMPS\n\n${`${line}\n`.repeat(4)}`;
      expect(outline(text), line).toEqual([]);
      expect(outline(text.replaceAll(line, "The gate is up.")), line).toEqual(["GATES (1)", "LAMPS (8)"]);
    }
  });
});

describe("mail", () => {
  test("the subject is the title, and the path", () => {
    const { chunks, title } = chunk(MAIL, { maxSize: 300 }, { mediaType: "message/rfc822" });
    expect(title).toBe("Lamps on the east pier");
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([
      ["Lamps on the east pier"],
      ["Lamps on the east pier"],
    ]);
    expect(chunks[0]!.text.startsWith("From: Ada Pilot")).toBe(true);
  });

  test("what is quoted goes with the line above it", () => {
    expect(texts(MAIL, 300)[1]!.startsWith("On Sunday, the office wrote:\n> Please report")).toBe(true);
  });

  test("what is quoted is cut at its lines", () => {
    const quoted = Array.from({ length: 6 }, (_, n) => `> Line ${n} of what she wrote, a sentence. And`).join("\n");
    for (const part of texts(quoted, 100)) expect(part).toMatch(/^> Line \d of what she wrote, a sentence\. And/);
  });

  test("a mailbox has a section for each message", () => {
    const message = (n: number): string =>
      `From ada@harbour.example Mon Nov 30 09:0${n}:00 2026\nFrom: ada@harbour.example\nTo: ben@harbour.example\nSubject: Tide ${n}\n\n${BODY}\n\n`;
    const { chunks, title } = chunk([1, 2, 3].map(message).join(""));
    expect(title).toBeUndefined();
    expect(chunks.map(({ headingPath, span }) => [headingPath, span.startLine])).toEqual([
      [["Tide 1"], 1],
      [["Tide 2"], 9],
      [["Tide 3"], 17],
    ]);
  });

  test("lines of names and values are no header", () => {
    expect(chunk(`Name: north pier\nDepth: 4 m\nLamps: two\n\n${BODY}\n`).title).toBeUndefined();
    expect(chunk(`From: the harbour\nTo: the sea\n\n${BODY}\n`).title).toBeUndefined();
  });

  test("an encoded subject is none", () => {
    const header = "From: a@b.example\nTo: c@d.example\nSubject: =?utf-8?q?Ebbe?=\n";
    expect(chunk(`${header}\n${BODY}\n`).title).toBeUndefined();
  });
});

describe("changelogs", () => {
  test("each release is a section", () => {
    const text = `Changes in tide\n\n2.0.0 (2026-11-30)\n- Heights in metres\n- No more moons\n\n1.9.1 (2026-10-01)\n- Mend a leak\n`;
    expect(outline(text)).toEqual(["Changes in tide (1)", "  2.0.0 (2026-11-30) (3)", "  1.9.1 (2026-10-01) (7)"]);
  });

  test("heads of many projects", () => {
    for (const head of [
      "1.2.3",
      "v1.2.3",
      "Version 1.2.3",
      "tide 1.2.3 (2026-11-30)",
      "Release 1.2.3-rc.1 / 2026-11-30",
      "* Noteworthy changes in release 1.2 (2026-11-30) [stable]",
      "Changes from version 1.2 to version 1.3:",
      "--- 1.2.3 (November 30, 2026) ---",
      "1.2.x",
      "=== 1.2.3 ===",
      "What's new in 1.2b1",
      "tide (1.2.3-4) unstable; urgency=medium",
      "2026-11-30  Ada Pilot  <ada@harbour.example>",
    ]) {
      const text = `${head}\n\n  * Mend a leak.\n\n${head}\n\n  * Find a leak.\n`;
      expect(chunk(text).outline, head).toHaveLength(2);
    }
  });

  test("a version in a list heads what is indented under it", () => {
    expect(outline("* 1.1\n  - Mend a leak\n\n* 1.0\n  - Float\n")).toEqual(["1.1 (1)", "1.0 (4)"]);
  });

  test("other lines with numbers are none", () => {
    for (const line of [
      "Python 3.8 is needed",
      "1.5MB",
      "See 1.2.3 for more",
      "192.168.0.1 gate",
      "3",
      "3 piers, 2.5 m deep",
    ]) {
      const text = `${BODY}\n\n${line}\n\n${BODY}\n\n${line}\n\n${BODY}\n`;
      expect(chunk(text).outline, line).toEqual([]);
    }
    expect(chunk(`1.2.3\n\n${BODY}\n`).outline).toEqual([]);
    expect(chunk("1.2.3\n\n1.2.4\n\n1.2.5\n\nAll of them are good.\n").outline).toEqual([]);
    expect(chunk(`Tested with:\n\n* 2.4\n* 2.5\n\n${BODY}\n\n* Tide 3.1\n\n${BODY}\n`).outline).toEqual([]);
    expect(chunk("%#.0g 0.2 -> 0.2\n%#.1g 0.2 -> 0.2\n\n%r 0.01 -> 0.01\n%r 0.02 -> 0.02\n").outline).toEqual([]);
  });
});
