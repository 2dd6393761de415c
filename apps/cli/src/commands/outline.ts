import type { OutlineEntry } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";
import { openIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { printJson } from "../output/print-json.js";
import { styler } from "../output/style.js";
import { warn } from "../output/warn.js";
import { projectRoot } from "../project.js";
import type { Flags } from "../setting-flags.js";
import { storedDocument } from "../stored-document.js";

interface OutlineFlags extends Flags {
  readonly json?: boolean;
}

export async function outlineCommand([path = ""]: readonly string[], flags: OutlineFlags): Promise<void> {
  const { docsearch } = await openIndex(flags);
  try {
    const document = await storedDocument(docsearch, path, projectRoot());
    const outline = await docsearch.getOutline(document.id);
    if (flags.json) printJson({ path, title: document.title, outline });
    else process.stdout.write(format(outline));
    if (outline.length === 0) warn(`${path} has no headings and no definitions`);
    process.exitCode = outline.length > 0 ? EXIT.ok : EXIT.negative;
  } finally {
    await docsearch.close();
  }
}

function format(outline: readonly OutlineEntry[]): string {
  const style = styler(process.stdout);
  const width = String(outline.at(-1)?.line ?? 0).length;
  const depths: number[] = [];
  return outline
    .map(({ heading, line, kind, parent }, i) => {
      const depth = parent === undefined ? 0 : depths[parent]! + 1;
      depths[i] = depth;
      const name = `${kind === undefined ? "" : `${kind} `}${heading}`;
      return `${style("dim", String(line).padStart(width))}  ${"  ".repeat(depth)}${escapeLine(name)}\n`;
    })
    .join("");
}
