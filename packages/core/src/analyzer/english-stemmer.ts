/**
 * The English stemmer of the Snowball project, also known as Porter2, as of Snowball 3.1
 * (https://snowballstem.org/algorithms/english/stemmer.html). The tests compare it with Snowball's own output.
 *
 * Written out here because the published JavaScript versions follow Snowball 2: they stem `added` to `ad`, away
 * from `add`, and join `internal` with `intern`, `organize` with `organ` and `paste` with `past`.
 */

/** A suffix that is replaced when it begins at or behind `region`, and when one of `after` stands before it. */
interface SuffixRule {
  readonly suffix: string;
  readonly replacement: string;
  readonly region: "R1" | "R2";
  /** Letters of which one must stand before the suffix; empty: anything may. */
  readonly after: string;
}

/** Rules by the last letter of their suffix, longest suffix first. */
type SuffixTable = ReadonlyMap<string, readonly SuffixRule[]>;

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ["sky", "sky"],
  ["news", "news"],
  ["howe", "howe"],
  ["atlas", "atlas"],
  ["cosmos", "cosmos"],
  ["bias", "bias"],
  ["andes", "andes"],
]);

/** Beginnings behind which R1 starts, whatever the vowels say. */
const R1_PREFIXES: readonly string[] = [
  "arsen",
  "commun",
  "emerg",
  "gener",
  "inter",
  "later",
  "organ",
  "past",
  "univers",
];

const KEEPS_EED: ReadonlySet<string> = new Set(["succ", "proc", "exc"]);
const KEEPS_ING: ReadonlySet<string> = new Set(["even", "cann", "inn", "earr", "herr", "out"]);
const DOUBLES: ReadonlySet<string> = new Set(["bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"]);

const STEP_2: SuffixTable = suffixTable([
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["entli", "ent"],
  ["izer", "ize"],
  ["ization", "ize"],
  ["ational", "ate"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["alli", "al"],
  ["fulness", "ful"],
  ["fulli", "ful"],
  ["ousli", "ous"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["bli", "ble"],
  ["ogist", "og"],
  ["ogi", "og", "R1", "l"],
  ["lessli", "less"],
  ["li", "", "R1", "cdeghkmnrt"],
]);

const STEP_3: SuffixTable = suffixTable([
  ["tional", "tion"],
  ["ational", "ate"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
  ["ative", "", "R2"],
]);

const STEP_4: SuffixTable = suffixTable([
  ...["al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"].map(inR2),
  ...["ism", "ate", "iti", "ous", "ive", "ize"].map(inR2),
  ["ion", "", "R2", "st"],
]);

/**
 * Stem of an English word in lower case and without apostrophes. Other letters and digits are allowed; they count
 * as consonants.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;

  // A `y` that begins the word or follows a vowel is a consonant, written `Y` until the end.
  let stem = word.includes("y") ? word.replace(/(^|[aeiouy])y/g, "$1Y") : word;
  const prefix = R1_PREFIXES.find((start) => stem.startsWith(start));
  const r1 = prefix === undefined ? regionAfter(stem, 0) : prefix.length;
  const r2 = regionAfter(stem, r1);

  stem = removePlural(stem);
  stem = removeVerbEnding(stem, r1);
  stem = replaceFinalY(stem);
  stem = replaceSuffix(stem, STEP_2, r1, r2);
  stem = replaceSuffix(stem, STEP_3, r1, r2);
  stem = replaceSuffix(stem, STEP_4, r1, r2);
  stem = removeFinalLetter(stem, r1, r2);
  return stem.includes("Y") ? stem.replaceAll("Y", "y") : stem;
}

/** Offset behind the first consonant that follows a vowel, from `from` on; the word's length when there is none. */
function regionAfter(word: string, from: number): number {
  let at = from;
  while (at < word.length && !isVowel(word, at)) at++;
  while (at < word.length && isVowel(word, at)) at++;
  return Math.min(at + 1, word.length);
}

/** Step 1a. */
function removePlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ied") || word.endsWith("ies")) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith("s") || word.endsWith("ss") || word.endsWith("us")) return word;
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word;
}

/** Step 1b. */
function removeVerbEnding(word: string, r1: number): string {
  const base = word.endsWith("ly") ? word.slice(0, -2) : word;
  if (base.endsWith("eed")) {
    const start = base.length - 3;
    return start < r1 || KEEPS_EED.has(base.slice(0, start)) ? word : base.slice(0, -1);
  }
  if (!base.endsWith("ed") && !base.endsWith("ing")) return word;
  const stem = base.slice(0, base.endsWith("ed") ? -2 : -3);
  if (word.endsWith("ing")) {
    if (KEEPS_ING.has(stem)) return word;
    if (stem.length === 2 && stem[1] === "y" && !isVowel(stem, 0)) return `${stem[0]}ie`;
  }
  if (!hasVowel(stem, stem.length)) return word;

  const end = stem.slice(-2);
  if (end === "at" || end === "bl" || end === "iz") return `${stem}e`;
  if (DOUBLES.has(end)) {
    // `add`, `egg` and `off` are whole words.
    return stem.length === 3 && "aeo".includes(stem[0]!) ? stem : stem.slice(0, -1);
  }
  return stem.length === r1 && endsInShortSyllable(stem) ? `${stem}e` : stem;
}

/** Step 1c. */
function replaceFinalY(word: string): string {
  const last = word.length - 1;
  const isY = word[last] === "y" || word[last] === "Y";
  return isY && last > 1 && !isVowel(word, last - 1) ? `${word.slice(0, last)}i` : word;
}

/** Steps 2 to 4. Only the longest suffix of the table that the word has is tried. */
function replaceSuffix(word: string, table: SuffixTable, r1: number, r2: number): string {
  const rule = table.get(word[word.length - 1]!)?.find(({ suffix }) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const start = word.length - rule.suffix.length;
  if (start < (rule.region === "R1" ? r1 : r2)) return word;
  if (rule.after !== "" && (start === 0 || !rule.after.includes(word[start - 1]!))) return word;
  return word.slice(0, start) + rule.replacement;
}

/** Step 5. */
function removeFinalLetter(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  if (word[last] === "e") {
    const rest = word.slice(0, last);
    return last >= r2 || (last >= r1 && !endsInShortSyllable(rest)) ? rest : word;
  }
  return word[last] === "l" && last >= r2 && word[last - 1] === "l" ? word.slice(0, last) : word;
}

function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  if (last < 1) return false;
  if (isVowel(word, last) || !isVowel(word, last - 1)) return word.endsWith("past");
  if (last === 1) return true;
  return (!isVowel(word, last - 2) && !"wxY".includes(word[last]!)) || word.endsWith("past");
}

function isVowel(word: string, at: number): boolean {
  switch (word.charCodeAt(at)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
    case 121: // y
      return true;
    default:
      return false;
  }
}

/** Whether there is a vowel before `end`. */
function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word, at)) return true;
  return false;
}

type RuleRow = readonly [suffix: string, replacement: string, region?: "R1" | "R2", after?: string];

function inR2(suffix: string): RuleRow {
  return [suffix, "", "R2"];
}

function suffixTable(rows: readonly RuleRow[]): SuffixTable {
  const table = new Map<string, SuffixRule[]>();
  for (const [suffix, replacement, region = "R1", after = ""] of rows) {
    const last = suffix[suffix.length - 1]!;
    const rules = table.get(last) ?? [];
    rules.push({ suffix, replacement, region, after });
    table.set(last, rules);
  }
  for (const rules of table.values()) rules.sort((a, b) => b.suffix.length - a.suffix.length);
  return table;
}
