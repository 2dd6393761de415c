import { foldBlanks } from "./fold-blanks.js";

/** What a name hangs on in JavaScript without belonging to it. */
const TRANSPARENT: ReadonlySet<string> = new Set(["this", "prototype", "module", "exports"]);
/** Most names: nothing in them has to be looked for. */
const PLAIN = /^(?!operator$)[A-Za-z_]\w{0,199}$/;
const OPERATOR = /(?:^|::)\s*(operator\b.*)$/s;
/** What stands around the name of a type in Rust: `&'a mut Ship`, `dyn Dock + Send`. */
const QUALIFIERS = /^(?:&\s*)?(?:'\w+\s+)?(?:(?:mut|dyn)\s+)*/;
const MAX_NAME = 200;

/**
 * The name at the end of `text`, behind those of what it belongs to: `Foo<T>::bar` and `*Foo.bar` are `Foo` and `bar`.
 * Type arguments, pointers and quotes are no part of a name. Empty when nothing is left.
 */
export function namesOf(text: string): string[] {
  if (PLAIN.test(text)) return [text];
  const written = text.slice(0, MAX_NAME).toWellFormed().trim();
  // A string, a computed key, and an operator are taken as they are.
  if (/^["']/.test(written)) return [plainName(written)];
  if (/^\[|[$`]\{/.test(written)) return [folded(written)];
  if (/^[^\w\u0080-\uffff]+$/.test(written)) return [written.replace(/^\(\s*|\s*\)$/g, "")];
  const operator = OPERATOR.exec(written);
  if (operator !== null) return [...splitNames(written.slice(0, operator.index)), operatorName(operator[1]!)];
  const names = splitNames(written);
  return names.filter((name, index) => index === names.length - 1 || !TRANSPARENT.has(name));
}

/** The names in `text`, all of them around the one that belongs to it. */
export function ownersOf(text: string): string[] {
  return namesOf(text.replace(/\?+$/, "")).filter((name) => !TRANSPARENT.has(name));
}

/** A title or key as it is written, without tags and quotes around it. */
export function plainName(text: string): string {
  const name = folded(text.replace(/<[^<>]*>/g, " "));
  return name.replace(/^(["'`])(.*)\1$/, "$2").trim();
}

function splitNames(text: string): string[] {
  let plain = text.replace(QUALIFIERS, "").replace(/^["'`(*&\s]+|["'`)\s]+$/g, "");
  for (let outer = ""; outer !== plain; ) {
    outer = plain;
    plain = plain.replace(/<[^<>]*>|(?<=\w)\[[^[\]]*\]/g, "");
  }
  return plain
    .replace(/\s\+\s.*$/s, "")
    .split(/::|[.\\:]/)
    .map(folded)
    .filter((part) => part !== "");
}

/** `operator bool` of `operator bool() const`. */
function operatorName(text: string): string {
  return folded(/^operator\s*(?:\(\)|[^(]*)/.exec(text)![0]);
}

function folded(text: string): string {
  return foldBlanks(text).slice(0, MAX_NAME).toWellFormed();
}
