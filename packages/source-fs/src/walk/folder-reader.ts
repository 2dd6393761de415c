import { relative, sep } from "node:path";
import { folderMarker } from "../default-rules.js";
import type { FileAccess } from "../file-access.js";
import { fileError } from "../file-error.js";
import { repositoryAt } from "../git/repository.js";
import { foldCase } from "../ignore/byte-string.js";
import type { DefaultRule, SkipReason } from "../skip-reason.js";
import { type Entry, listFolder } from "./entries.js";
import { indexFiles } from "./index-files.js";
import { contentRulesOf, isLifted, type JudgeContext, judge, type Verdict } from "./judge.js";
import type { CheckedOptions } from "./options.js";
import { type Ground, type Scope, scopeWithin } from "./scope.js";
import { compileSelection, type Selection } from "./selection.js";
import type { ContentRule, WalkItem } from "./walked.js";

/** How the walk gets to an entry: along its own path, by a link that is followed, or below such a link. */
type Reached = "directly" | "by-link" | "below-link";

/** A folder that the rules let the walk enter. */
export interface Folder {
  /** Relative to the root, with a slash at its end; empty for the root. */
  readonly path: string;
  /** The same as a byte string from the top of the repository, case-folded when case is ignored. */
  readonly bytes: string;
  /** Real path. */
  readonly absolute: string;
  /** Rules of the folder above. */
  readonly scope: Scope;
  readonly included: boolean;
  readonly reached: Reached;
  /** Whether a rule that is found out by looking into the folder does not hold. */
  readonly lifts: (rule: DefaultRule) => boolean;
}

/** What is to be done for one entry of a folder. */
export type Step =
  | { readonly type: "item"; readonly item: WalkItem }
  | { readonly type: "folder"; readonly folder: Folder }
  | FileStep;

export interface FileStep {
  readonly type: "file";
  readonly path: string;
  readonly absolute: string;
  readonly contentRules: readonly ContentRule[];
  readonly reached: Reached;
}

interface Judged {
  readonly entry: Entry;
  readonly bytes: string;
  readonly verdict: Verdict;
}

/** A folder with its own rules applied, or why it is not looked into. */
type Listing =
  | { readonly context: JudgeContext; readonly entries: readonly Judged[] }
  | { readonly refused: SkipReason };

/** Lists folders and holds their entries against the rules. */
export class FolderReader {
  /** Real path. */
  readonly #root: string;
  readonly #options: CheckedOptions;
  readonly #ground: Ground;
  readonly #selection: Selection;
  readonly #access: FileAccess;
  readonly #isOfIndex: (absolute: string) => boolean;
  /** Real paths of what came up through links. */
  readonly #followed = new Set<string>();

  constructor(root: string, options: CheckedOptions, ground: Ground, access: FileAccess) {
    this.#root = root;
    this.#access = access;
    this.#options = options;
    this.#ground = ground;
    this.#selection = compileSelection(options, ground.ignoreCase);
    this.#isOfIndex = indexFiles(options.indexPath);
  }

  get rootFolder(): Folder {
    return {
      path: "",
      bytes: this.#ground.prefix,
      absolute: this.#root,
      scope: this.#ground.scope,
      included: this.#selection.includes("", true, false),
      reached: "directly",
      lifts: () => false,
    };
  }

  /**
   * The steps for the entries of a folder, in the order of their paths; one item when it is left out after all or
   * cannot be read.
   *
   * @throws the file system's error when the folder is the root
   */
  async open(folder: Folder): Promise<Step[]> {
    const { path } = folder;
    try {
      if (await this.isDuplicate(folder)) return [skipped(path, "link-duplicate")];
      const listing = await this.#list(folder);
      if ("refused" in listing) return [skipped(path, listing.refused)];
      return listing.entries.map((judged) => stepOf(judged, folder, listing.context));
    } catch (error) {
      if (path === "") throw error;
      return [{ type: "item", item: { type: "failure", path, error: fileError(path, error) } }];
    }
  }

  /** Whether what is reached through a link comes up elsewhere: at its own path, or through a link before. */
  async isDuplicate({ absolute, reached }: Pick<Folder, "absolute" | "reached">): Promise<boolean> {
    if (reached === "directly") return false;
    if (this.#followed.has(absolute)) return true;
    if (reached === "by-link" && (await this.#comesUp(absolute).catch(() => false))) return true;
    this.#followed.add(absolute);
    return false;
  }

  async #list(folder: Folder): Promise<Listing> {
    const isRoot = folder.path === "";
    const listed = await listFolder(folder.absolute, this.#options.followLinks ? this.#root : undefined, this.#access);
    const names = new Set(listed.map(({ bytes }) => bytes));
    const repository = !isRoot && names.has(".git") ? await repositoryAt(folder.absolute) : undefined;
    if (repository?.isLinkedWorktree && !folder.lifts("linked-worktree")) return { refused: "linked-worktree" };
    const marker = isRoot
      ? undefined
      : folderMarker(folder.absolute.slice(folder.absolute.lastIndexOf(sep) + 1), names);
    if (marker === "version-control" || (marker !== undefined && !folder.lifts(marker))) return { refused: marker };
    const files = new Set(
      listed.filter(({ kind, followed }) => kind === "file" && !followed).map(({ bytes }) => bytes),
    );
    const place = { absolute: folder.absolute, path: folder.bytes, files, ...(repository && { repository }) };
    const scope = await scopeWithin(folder.scope, place, this.#ground, this.#options);
    const context = {
      scope,
      selection: this.#selection,
      allow: this.#options.allow,
      rootLength: this.#ground.prefix.length,
      parentIncluded: folder.included,
      isOfIndex: this.#isOfIndex,
    };
    const entries = listed.map((entry): Judged => {
      const bytes = folder.bytes + (this.#ground.ignoreCase ? foldCase(entry.bytes) : entry.bytes);
      return { entry, bytes, verdict: judge(entry, bytes, context) };
    });
    return { context, entries };
  }

  /** Whether the walk gets to a real path inside the root without links. Rejects when a folder cannot be listed. */
  async #comesUp(target: string): Promise<boolean> {
    let folder = this.rootFolder;
    for (const name of relative(this.#root, target).split(sep)) {
      if (name === "") return true;
      const listing = await this.#list(folder);
      if ("refused" in listing) return false;
      const judged = listing.entries.find(({ entry }) => entry.name === name);
      if (judged === undefined || judged.verdict.skip !== undefined || judged.entry.followed) return false;
      if (judged.entry.kind !== "folder") return true;
      folder = folderOf(judged, folder, listing.context);
    }
    return !("refused" in (await this.#list(folder)));
  }
}

function stepOf(judged: Judged, folder: Folder, context: JudgeContext): Step {
  const { entry, verdict } = judged;
  const path = folder.path + entry.name + (entry.kind === "folder" ? "/" : "");
  if (verdict.skip !== undefined) return skipped(path, verdict.skip);
  if (!entry.validName) {
    const error = new Error(`${path} cannot be read: its name is not valid UTF-8`);
    return { type: "item", item: { type: "failure", path, error } };
  }
  if (entry.kind === "folder") return { type: "folder", folder: folderOf(judged, folder, context) };
  const contentRules = contentRulesOf(judged.bytes, verdict, context);
  return { type: "file", path, absolute: entry.absolute, contentRules, reached: reachedOf(entry, folder) };
}

function skipped(path: string, reason: SkipReason): Step {
  return { type: "item", item: { type: "skip", path, reason } };
}

function reachedOf({ followed }: Entry, { reached }: Folder): Reached {
  if (followed) return "by-link";
  return reached === "directly" ? "directly" : "below-link";
}

function folderOf(judged: Judged, parent: Folder, context: JudgeContext): Folder {
  const { entry, bytes, verdict } = judged;
  return {
    path: `${parent.path}${entry.name}/`,
    bytes: `${bytes}/`,
    absolute: entry.absolute,
    scope: context.scope,
    included: verdict.included,
    reached: reachedOf(entry, parent),
    lifts: (rule) => isLifted(rule, bytes, true, verdict, context),
  };
}
