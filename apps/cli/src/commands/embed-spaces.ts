import { namesEmbedder } from "@docsearch/core";
import { DocsearchError, type VectorSpaces, type VectorStore } from "@docsearch/spec";
import { findSpace, type NamedSpace, nameSpaces } from "../embedders.js";
import { environmentOf } from "../environment.js";
import { withStoredIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { counted, grouped } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import type { Flags } from "../setting-flags.js";

interface SpaceFlags extends Flags {
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function embedListCommand(_operands: readonly string[], flags: SpaceFlags): Promise<void> {
  await withStoredIndex(flags, "read", async (store) => {
    const spaces = nameSpaces(await spacesOf(store).list(), environmentOf(flags));
    const { chunks } = await store.stats();
    if (flags.json) {
      printJson({ chunks, spaces });
      return;
    }
    const none = "the index answers with words alone; a model for it: docsearch embed --model <model>\n";
    process.stdout.write(spaces.length === 0 ? none : formatSpaces(spaces, chunks).join(""));
  });
}

export async function embedUseCommand([wanted = ""]: readonly string[], flags: SpaceFlags): Promise<void> {
  await withStoredIndex(flags, "write", async (store) => {
    const spaces = nameSpaces(await spacesOf(store).list(), environmentOf(flags));
    const space = findSpace(spaces, wanted);
    const { name, embedding, lacking, isActive, known } = space;
    const { chunks } = await store.stats();
    if (lacking > 0 && !isActive && flags.force !== true) throw incomplete(space, chunks);
    await spacesOf(store).use(embedding.id);
    const before = spaces.find((each) => each.isActive)?.name;
    const covered = lacking > 0 ? `, with ${coverage(space, chunks)}` : "";
    const then = isActive || before === undefined ? "" : `; back: docsearch embed use ${before}`;
    if (flags.json) printJson({ active: name, previous: isActive ? null : (before ?? null), chunks, lacking });
    else process.stdout.write(escapeLine(`the index answers with ${name} now${covered}${then}`).concat("\n"));
    if (!isActive) warn("processes that have the index open go on with the model before until they are started again");
    if (namesEmbedder(environmentOf(flags))) {
      warn(
        "the environment names an embedder (DOCS_EMBEDDER_BACKEND, _MODEL or _URL), which goes before the index's own",
      );
    } else if (known === undefined && !/^static\b/.test(embedding.id)) {
      warn(
        `how to load ${name} is not known on this machine; name it once: docsearch embed --model <model> --backend <backend>`,
      );
    }
  });
}

export async function embedDropCommand([wanted = ""]: readonly string[], flags: SpaceFlags): Promise<void> {
  await withStoredIndex(flags, "write", async (store) => {
    const spaces = nameSpaces(await spacesOf(store).list(), environmentOf(flags));
    const { name, embedding, vectors, isActive } = findSpace(spaces, wanted);
    if (isActive) {
      const others = spaces.filter((space) => !space.isActive).map((space) => space.name);
      const how = others.length > 0 ? `docsearch embed use ${others.join(" or ")}` : "docsearch embed --model <model>";
      throw new DocsearchError(
        "UNSUPPORTED",
        `the index answers with ${name}; make another model the one that answers first: ${how}`,
        {
          operation: "drop",
        },
      );
    }
    await spacesOf(store).drop(embedding.id);
    if (flags.json) printJson({ dropped: name, vectors });
    else process.stdout.write(escapeLine(`${counted(vectors, "vector")} of ${name} dropped`).concat("\n"));
  });
}

/** A line for each space. */
export function formatSpaces(spaces: readonly NamedSpace[], chunks: number): string[] {
  return spaces.map((space) => {
    const { name, embedding, isActive } = space;
    const id = name === embedding.id ? "" : `, ${embedding.id}`;
    const text = `${isActive ? "answers" : "beside "}  ${name}, ${coverage(space, chunks)}, ${embedding.dimensions} dimensions${id}`;
    return `${escapeLine(text)}\n`;
  });
}

/** `12 of 40 chunks`. The whole of an index without chunks is complete. */
function coverage({ lacking }: NamedSpace, chunks: number): string {
  return `${grouped(chunks - lacking)} of ${counted(chunks, "chunk")}`;
}

function incomplete(space: NamedSpace, chunks: number): DocsearchError<"UNSUPPORTED"> {
  const { name, lacking } = space;
  const message = `${name} has ${coverage(space, chunks)}; ${counted(lacking, "chunk")} would be found by words alone. Complete it: docsearch embed --model ${name}, or switch all the same: --force`;
  return new DocsearchError("UNSUPPORTED", message, { operation: "use of an incomplete space" });
}

function spacesOf(store: VectorStore): VectorSpaces {
  if (store.spaces !== undefined) return store.spaces;
  throw new DocsearchError("UNSUPPORTED", `this index of the store "${store.name}" keeps the vectors of one model`, {
    operation: "vector spaces",
  });
}
