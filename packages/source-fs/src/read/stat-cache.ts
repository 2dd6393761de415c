import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ReadItem } from "@docsearch/spec";
import type { SkipReason } from "../skip-reason.js";
import type { WalkedFile } from "../walk/walked.js";
import { deviceOf, missingMounts } from "./missing-mounts.js";

type ContentSkip = Extract<SkipReason, "binary" | "generated" | "minified">;

const CONTENT_SKIPS: readonly ContentSkip[] = ["binary", "generated", "minified"];

/** What reading a file came to. */
export type Content =
  /** The document's hash and media type. */
  | { readonly contentHash: string; readonly mediaType: string }
  /** The rule about content that left it out. */
  | { readonly skip: ContentSkip };

/** Size, times of the last change of content and of anything else, number in the file system, and content rules. */
type Identity = readonly [size: number, mtimeMs: number, ctimeMs: number, inode: number, contentRules: string];

/** `mounted`: 1 for a file whose folder lies on another file system than the root. */
type Entry = readonly [
  path: string,
  ...identity: Identity,
  mounted: 0 | 1,
  ...outcome: [hash: string, mediaType: string] | [skip: string],
];

/** By path. */
type Known = ReadonlyMap<string, Entry>;

type Trees = readonly (readonly [tree: string, entries: readonly Entry[]])[];

/** Raised when decoding, media types or the rules about content give something else for the same bytes. */
const READING_VERSION = 2;

/** The first line of the file. What has another one was written by another version, and counts as empty. */
const HEADER = `docsearch stat cache ${READING_VERSION}\n`;

/**
 * A file that was changed less than this before it was read may have been changed again without a trace: FAT counts
 * time in steps of 2 seconds.
 */
const RACY_MS = 2100;
/** Stands for the size of a file that is not trusted. */
const NO_SIZE = -1;

/**
 * Remembers what the content of files was, by what the file system says of them, so that they need not be read again. It
 * says nothing of what an index holds, so it is right for every index, model and chunker; losing it costs one reading
 * of the files. Who brings back the time of a file's last change is found out by the time of its last change of
 * anything, which programs cannot set.
 */
export class StatCache {
  readonly #path: string;
  readonly #trees: Map<string, Known>;
  readonly #isTrusted: boolean;
  #isChanged = false;

  private constructor(path: string, trees: Map<string, Known>, isTrusted: boolean) {
    this.#path = path;
    this.#trees = trees;
    this.#isTrusted = isTrusted;
  }

  /**
   * What was saved in a file; nothing, when it cannot be read.
   *
   * @param rehash read every file again, whatever is known of it
   */
  static load(path: string, { rehash = false }: { readonly rehash?: boolean } = {}): StatCache {
    return new StatCache(path, readTrees(path), !rehash);
  }

  /**
   * Begins the reading of a tree.
   *
   * @param root of the tree
   * @param way in which the tree is read, and which of its files; read in another way it is another tree
   */
  read(root: string, way: string): TreeReading {
    const key = `${root}\0${way}`;
    const known = this.#trees.get(key) ?? new Map<string, Entry>();
    return new TreeReading(root, known, this.#isTrusted, (found, isChanged) => {
      this.#trees.set(key, found);
      this.#isChanged ||= isChanged;
    });
  }

  /** Writes down what was learned, if anything was. It can be made again, so a disk that takes nothing is no error. */
  save(): void {
    if (!this.#isChanged) return;
    const temporary = `${this.#path}-${process.pid}`;
    try {
      const trees = [...this.#trees].map(([key, entries]) => [key, [...entries.values()]]);
      writeFileSync(temporary, HEADER + JSON.stringify(trees));
      renameSync(temporary, this.#path);
      this.#isChanged = false;
    } catch {
      rmSync(temporary, { force: true });
    }
  }
}

/** One reading of a tree: what was known of its files, and what is now. */
class TreeReading {
  readonly #root: string;
  readonly #device: number | undefined;
  readonly #known: Known;
  readonly #isTrusted: boolean;
  readonly #found = new Map<string, Entry>();
  readonly #onEnd: (found: Known, isChanged: boolean) => void;
  readonly #began = Date.now();
  /** The folder of the last file that was noted, and whether it is mounted. */
  #folder: { readonly path: string; readonly mounted: 0 | 1 } | undefined;
  #kept = 0;

  constructor(root: string, known: Known, isTrusted: boolean, onEnd: (found: Known, isChanged: boolean) => void) {
    this.#root = root;
    this.#device = deviceOf(root);
    this.#known = known;
    this.#isTrusted = isTrusted;
    this.#onEnd = onEnd;
  }

  /** The content of a file, if it is known to be what it was. */
  find(file: WalkedFile): Content | undefined {
    const entry = this.#isTrusted ? this.#known.get(file.path) : undefined;
    if (entry === undefined || !identityOf(file).every((value, index) => entry[index + 1] === value)) return undefined;
    this.#keep(entry);
    const [hashOrSkip, mediaType] = entry.slice(7) as [string, string?];
    return mediaType === undefined ? { skip: hashOrSkip as ContentSkip } : { contentHash: hashOrSkip, mediaType };
  }

  /** Notes what was read. What was changed so lately that the same times may stand for other content is not trusted. */
  note(file: WalkedFile, content: Content): void {
    const [size, ...rest] = identityOf(file);
    const isRacy = Math.max(file.mtimeMs, file.ctimeMs) > this.#began - RACY_MS;
    const outcome = "skip" in content ? ([content.skip] as const) : ([content.contentHash, content.mediaType] as const);
    const mounted = this.#isMounted(dirname(file.absolutePath));
    this.#found.set(file.path, [file.path, isRacy ? NO_SIZE : size, ...rest, mounted, ...outcome]);
  }

  /**
   * The tree was read to its end: what did not come up is forgotten, but for files on drives that are away. Returns where
   * those lay, folders with a slash at their end.
   *
   * @param ignoreMissingMounts forget those too
   * @param within path of the part that was read alone; what is known of the rest stays
   */
  end(ignoreMissingMounts: boolean, within?: string): readonly string[] {
    const wasRead = (path: string): boolean => within === undefined || path === within || path.startsWith(`${within}/`);
    for (const entry of this.#known.values()) if (!wasRead(entry[0])) this.#keep(entry);
    const gone = [...this.#known.values()].filter(
      ([path, , , , , , mounted]) => mounted === 1 && !this.#found.has(path),
    );
    const paths = gone.map(([path]) => path);
    const missing = ignoreMissingMounts ? [] : missingMounts(this.#root, paths);
    for (const entry of gone) {
      if (missing.some((place) => place === entry[0] || (place.endsWith("/") && entry[0].startsWith(place)))) {
        this.#keep(entry);
      }
    }
    const isChanged = this.#found.size !== this.#kept || this.#kept !== this.#known.size;
    this.#onEnd(this.#found, isChanged);
    return missing;
  }

  #keep(entry: Entry): void {
    this.#found.set(entry[0], entry);
    this.#kept++;
  }

  #isMounted(folder: string): 0 | 1 {
    if (this.#folder?.path !== folder) {
      this.#folder = { path: folder, mounted: deviceOf(folder) === this.#device ? 0 : 1 };
    }
    return this.#folder.mounted;
  }
}

/** What reading a file came to, as far as it depends on its content alone. */
export function contentOf(item: ReadItem): Content | undefined {
  if (item.type === "document") return { contentHash: item.document.contentHash, mediaType: item.document.mediaType };
  const skip = item.type === "skip" ? CONTENT_SKIPS.find((reason) => reason === item.reason) : undefined;
  return skip && { skip };
}

function identityOf({ size, mtimeMs, ctimeMs, inode, contentRules }: WalkedFile): Identity {
  return [size, mtimeMs, ctimeMs, inode, contentRules.join()];
}

function readTrees(path: string): Map<string, Known> {
  try {
    const content = readFileSync(path, "utf8");
    const trees: Trees = content.startsWith(HEADER) ? JSON.parse(content.slice(HEADER.length)) : [];
    return new Map(trees.map(([key, entries]) => [key, new Map(entries.map((entry) => [entry[0], entry]))]));
  } catch {
    return new Map();
  }
}
