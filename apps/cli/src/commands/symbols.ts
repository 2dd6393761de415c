import type { SymbolHit } from "@docsearch/core";
import { EXIT } from "../exit-codes.js";
import { openIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { printJson } from "../output/print-json.js";
import { styler } from "../output/style.js";
import { warn } from "../output/warn.js";
import { projectRoot, shownPath } from "../project.js";
import { searchFilter } from "../search-filter.js";
import type { Flags } from "../setting-flags.js";

interface SymbolsFlags extends Flags {
  readonly kind?: string;
  readonly limit: number;
  readonly path?: readonly string[];
  readonly json?: boolean;
}

export async function symbolsCommand([name = ""]: readonly string[], flags: SymbolsFlags): Promise<void> {
  const { kind, limit, path = [], json = false } = flags;
  const root = projectRoot();
  const filter = searchFilter(path, [], root);
  const { docsearch } = await openIndex(flags);
  try {
    const request = { name, limit, ...(filter && { filter }) };
    const { definitions, similar } = await docsearch.findSymbols({ ...request, ...(kind !== undefined && { kind }) });
    if (json) printJson({ name, definitions: definitions.map((hit) => jsonDefinition(hit, root)), similar });
    else process.stdout.write(definitions.map((hit) => format(hit, root)).join(""));
    if (definitions.length === 0) {
      const others = kind === undefined ? [] : (await docsearch.findSymbols(request)).definitions;
      warn(others.length > 0 ? ofOtherKinds(name, kind, others) : `nothing defines ${name}${suggestion(similar)}`);
    }
    process.exitCode = definitions.length > 0 ? EXIT.ok : EXIT.negative;
  } finally {
    await docsearch.close();
  }
}

function format({ symbol, document }: SymbolHit, root: string): string {
  const style = styler(process.stdout);
  const place = `${shownPath(root, document.path ?? document.id)}:${symbol.line}`;
  const what = symbol.signature ?? symbol.qualifiedName;
  return `${style("cyan", escapeLine(place))}  ${escapeLine(symbol.kind)} ${style("bold", escapeLine(symbol.qualifiedName))}  ${style("dim", escapeLine(what))}\n`;
}

function jsonDefinition({ symbol, chunk, document }: SymbolHit, root: string): object {
  return { path: shownPath(root, document.path ?? document.id), ...symbol, chunkId: chunk.id };
}

/** That the name is defined, but not as what was asked for. */
function ofOtherKinds(name: string, kind = "", others: readonly SymbolHit[]): string {
  const kinds = [...new Set(others.map(({ symbol }) => symbol.kind))].sort();
  return `nothing of the kind ${kind} defines ${name}; it is defined as ${kinds.join(", ")}`;
}

function suggestion(similar: readonly string[]): string {
  return similar.length === 0 ? "" : `; names that begin so: ${similar.join(", ")}`;
}
