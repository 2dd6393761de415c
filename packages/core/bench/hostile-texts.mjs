// Texts that were made to hurt a chunker of plain text, by name.

/** @param {string} part @param {number} size */
const times = (part, size) => part.repeat(Math.ceil(size / part.length));
const MB = 1_000_000;

/** @type {Readonly<Record<string, () => string>>} */
export const TEXTS = {
  "10 MB of paragraphs": () => times("The tide comes in. It goes out again, e.g. at noon.\n\n", 10 * MB),
  "10 MB in one paragraph": () => times("The tide comes in. It goes out again,\ne.g. at noon. ", 10 * MB),
  "10 MB of lines": () => times("tide 42, pier 7\n", 10 * MB),
  "10 MB of log": () => times("2026-11-30T09:00:00Z INFO gate 7 moved\n", 10 * MB),
  "10 MB of indented code": () => times("Text:\n\n    if (tide > 4) { open(); }\n\n    close();\n\n", 10 * MB),
  "10 MB of list items": () => times("- tide\n", 10 * MB),
  "10 MB of blank lines": () => times(" \n", 10 * MB),
  "1 MB line, with blanks": () => times("harbour tide 42 ", MB),
  "1 MB line, without blanks": () => times("k7Q", MB),
  "1 MB line of emoji": () => times("👩‍👩‍👧", MB),
  "1 MB of combining marks": () => `e${times("\u0301", MB)}`,
  "50,000 underlined headings": () => times("Tide\n====\n\nx\n\n", 50_000 * 14),
  "50,000 headings in capitals": () => times("THE TIDE\n\nx\n\n", 50_000 * 13),
  "50,000 numbered headings": () =>
    Array.from({ length: 50_000 }, (_, n) => `${(n % 900) + 1}. Tide\n\nx\n\n`).join(""),
  "50,000 releases": () => Array.from({ length: 50_000 }, (_, n) => `1.${n}.0\n\nx\n\n`).join(""),
  "50,000 pages": () => times("x\n\f\n", 50_000 * 4),
  "1 MB of rules": () => times("=====\n", MB),
  "1 MB line of equals signs": () => times("=", MB),
  "lines of equals signs and blanks": () => times(`${"= ".repeat(59)}\n`, MB),
  "1 MB of dots and digits": () => times("1.1.1.1.1.1.1.1.1 ", MB),
  "lines of digits and dots": () => times(`${"1.".repeat(49)}\n\n`, MB),
  "1 MB of blanks in a line": () => `a${times(" ", MB)}b`,
  "1 MB of tabs": () => times("\t", MB),
  "1 MB of quote marks": () => times(">", MB),
  "1 MB of form feeds": () => times("\f", MB),
  "1 MB of carriage returns": () => times("a\r", MB),
  "1 MB of abbreviations": () => times("Dr. e.g. Fig. ", MB),
  "1 MB of full stops": () => times("a.", MB),
  "1 MB of mail fields": () => times("Subject: tide\nFrom: pier\nTo: mole\n", MB),
  "1 MB of folded subject": () => `From: a\nTo: b\nSubject: c\n${times(" tide\n", MB)}`,
};
