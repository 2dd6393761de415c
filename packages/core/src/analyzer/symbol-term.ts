import { cutTerm } from "./expand.js";
import { fold } from "./fold.js";

/**
 * The term under which a chunk is indexed for each definition that begins in it, by the name and by the qualified name.
 * No term of a text begins with `:`.
 */
export function symbolTerm(name: string): string {
  return cutTerm(`:${fold(name)}`);
}

/** The folded name of a term of `symbolTerm`. */
export function nameOfSymbolTerm(term: string): string {
  return term.slice(1);
}
