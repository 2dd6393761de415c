const ARABIC = /^(\d{1,3}(?:\.\d{1,3}){0,4})(\.?)\s+(\S.*)$/;
const ROMAN = /^([IVXLC]{1,7})\.\s+(\S.*)$/;
const ROMAN_DIGITS: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
/** So many numbers may be missing in a row: their headings did not look like ones. */
const GAP = 2;

export interface NumberedLine {
  readonly style: "numbered" | "roman";
  /** `2.1` is [2, 1]. */
  readonly number: readonly number[];
  /** What follows the number. */
  readonly text: string;
}

/** A line that begins with a number as headings do. */
export function readNumber(content: string): NumberedLine | undefined {
  const arabic = ARABIC.exec(content);
  if (arabic !== null) return { style: "numbered", number: arabic[1]!.split(".").map(Number), text: arabic[3]! };
  const roman = ROMAN.exec(content);
  const value = roman === null ? 0 : romanValue(roman[1]!);
  return value === 0 ? undefined : { style: "roman", number: [value], text: roman![2]! };
}

/** Whether a heading numbered `next` may follow one numbered `last`: a first child, or the next one on some level. */
export function follows(last: readonly number[] | undefined, next: readonly number[]): boolean {
  if (last === undefined) return next.length === 1 && next[0]! <= 1;
  const depth = next.length;
  const shared = next.findIndex((value, level) => value !== last[level]);
  if (shared !== depth - 1) return false;
  const value = next[shared]!;
  const before = last[shared];
  return before === undefined ? depth === last.length + 1 && value <= 1 : value > before && value <= before + 1 + GAP;
}

/** 0 for what is no number in its usual form. */
function romanValue(text: string): number {
  const digits = [...text].map((digit) => ROMAN_DIGITS[digit]!);
  const value = digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0);
  return toRoman(value) === text ? value : 0;
}

function toRoman(value: number): string {
  const steps = [
    [100, "C"],
    [90, "XC"],
    [50, "L"],
    [40, "XL"],
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ] as const;
  let rest = value;
  let text = "";
  for (const [step, digits] of steps) for (; rest >= step; rest -= step) text += digits;
  return text;
}
