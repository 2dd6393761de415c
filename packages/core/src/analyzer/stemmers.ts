import { DocsearchError } from "@docsearch/spec";
import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemHindi } from "@orama/stemmers/indian";
import { stemmer as stemRussian } from "@orama/stemmers/russian";
import { stemEnglish } from "./english-stemmer.js";

/** Reduces the forms of a word to one string. */
export interface Stemmer {
  /** Name and version; part of the analyzer's id. */
  readonly id: string;
  /** Pure. `word` is folded (see `fold`), holds at least one letter and 3 UTF-16 units. */
  readonly stem: (word: string) => string;
}

export const englishStemmer: Stemmer = { id: "english-snowball-3.1", stem: stemEnglish };

/** Version of `@orama/stemmers`, which holds Snowball's stemmers of the other languages. */
export const OTHER_STEMMERS_ID: string = "orama-stemmers-3.1.18";

type StemmerModule = { readonly stemmer: (word: string) => string };

const LATIN_LANGUAGES: Readonly<Record<string, () => Promise<StemmerModule>>> = {
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  hu: () => import("@orama/stemmers/hungarian"),
  id: () => import("@orama/stemmers/indonesian"),
  it: () => import("@orama/stemmers/italian"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  sv: () => import("@orama/stemmers/swedish"),
  tr: () => import("@orama/stemmers/turkish"),
};

/**
 * The stemmer for words in Latin letters of a collection in that language, to be passed to `createAnalyzer`.
 *
 * @param language ISO 639-1 code; `none` leaves words as they are.
 * @throws DocsearchError `CONFIG_INVALID` on a language that has no stemmer here.
 */
export async function loadStemmer(language: string): Promise<Stemmer> {
  if (language === "en") return englishStemmer;
  if (language === "none") return { id: "none", stem: (word) => word };
  const load = Object.hasOwn(LATIN_LANGUAGES, language) ? LATIN_LANGUAGES[language] : undefined;
  if (load === undefined) {
    const expected = ["none", "en", ...Object.keys(LATIN_LANGUAGES)].join(", ");
    throw new DocsearchError(
      "CONFIG_INVALID",
      `There is no stemmer for the language ${JSON.stringify(language)}. Use one of: ${expected}. ` +
        `Words in other scripts are stemmed whatever this says.`,
      { setting: "language", value: language, expected },
    );
  }
  const { stemmer } = await load();
  return { id: `${language}-${OTHER_STEMMERS_ID}`, stem: stemmer };
}

/** Stems a folded word by the script of its first letter. Numbers and words shorter than 3 units stay as they are. */
export function stemByScript(word: string, latin: Stemmer): string {
  if (word.length < 3) return word;
  const letter = firstLetter(word);
  if (letter === 0) return word;
  // A stemmer that leaves nothing of a word would make all such words equal.
  return stemmerFor(letter, latin)?.(word) || word;
}

function stemmerFor(letter: number, latin: Stemmer): Stemmer["stem"] | undefined {
  if (letter < 0x250 || (letter >= 0x1e00 && letter < 0x1f00)) return latin.stem;
  if (letter >= 0x400 && letter < 0x530) return stemRussian;
  if ((letter >= 0x600 && letter < 0x700) || (letter >= 0x750 && letter < 0x780)) return stemArabic;
  if (letter >= 0x900 && letter < 0x980) return stemHindi;
  return undefined;
}

/** UTF-16 unit of the first letter; 0 when there is none. */
function firstLetter(word: string): number {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (unit >= 128 ? /\p{L}/u.test(String.fromCodePoint(word.codePointAt(at)!)) : unit >= 97 && unit <= 122)
      return unit;
  }
  return 0;
}
