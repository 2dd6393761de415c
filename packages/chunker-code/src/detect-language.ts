import type { Document } from "@docsearch/spec";
import type { Language } from "./language.js";
import { LANGUAGES } from "./languages.js";

const BY_EXTENSION = tableOf(({ extensions }) => extensions);
const BY_FILE_NAME = tableOf(({ fileNames }) => fileNames);
const BY_MEDIA_TYPE = tableOf(({ mediaTypes }) => mediaTypes);
const BY_INTERPRETER = tableOf(({ interpreters }) => interpreters);
/** The program of a `#!` line, through `env` and its options, without its version. */
const SHEBANG =
  /^\ufeff?#![ \t]*(?:\S*\/)?(?:env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*(?:\S*\/)?)?([A-Za-z][\w-]*?)(?:-?\d[\d.]*)?(?=\s|$)/;
/** What a header of C++ has and one of C has not. */
const CPP =
  /^\s*(?:class\s+\w|namespace\s+[\w:{]|template\s*<|using\s+\w|(?:public|private|protected)\s*:|#include\s*<\w+>)|\b\w+::\w/m;
const CPP_SAMPLE = 20_000;

function tableOf(keys: (language: Language) => readonly string[] | undefined): ReadonlyMap<string, Language> {
  return new Map(LANGUAGES.flatMap((language) => (keys(language) ?? []).map((key) => [key, language] as const)));
}

/** The language that path and media type say; the path goes first. */
export function languageOf({ path = "", mediaType }: Pick<Document, "mediaType" | "path">): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "";
  return (
    BY_FILE_NAME.get(name) ??
    BY_EXTENSION.get(extension) ??
    BY_MEDIA_TYPE.get(mediaType.split(";", 1)[0]!.trim().toLowerCase())
  );
}

/** The language of a document that is supported: as `languageOf`, and for scripts and headers as the text says. */
export function detectLanguage(document: Pick<Document, "mediaType" | "path" | "text">): Language | undefined {
  const named = languageOf(document);
  if (named?.name === "c" && /\.h$/i.test(document.path ?? "") && CPP.test(document.text.slice(0, CPP_SAMPLE)))
    return BY_EXTENSION.get("hpp");
  const program = SHEBANG.exec(document.text.slice(0, 200))?.[1];
  const hasEnding = BY_EXTENSION.get((document.path ?? "").replace(/^.*\./, "").toLowerCase()) !== undefined;
  return (hasEnding || program === undefined ? undefined : BY_INTERPRETER.get(program.toLowerCase())) ?? named;
}
