import type { DefaultRule, SkipReason } from "../skip-reason.js";

/** Default rules that the content of a file can meet; they wait until it is read. */
export type ContentRule = Extract<DefaultRule, "generated" | "minified">;

/** A file that the rules take in. */
export interface WalkedFile {
  readonly type: "file";
  /** Relative to the root, separated by `/`; for a root that is a file, its name. */
  readonly path: string;
  /** Real path, for reading. */
  readonly absolutePath: string;
  /** Bytes. */
  readonly size: number;
  /** Time of the last change of content, in milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Time of the last change of anything: content, name, permissions. */
  readonly ctimeMs: number;
  /** Number of the file in its file system. */
  readonly inode: number;
  /** Rules about the content that whoever reads the file applies. One that is lifted for this file is missing. */
  readonly contentRules: readonly ContentRule[];
}

/** The paths of folders end with a slash. */
export type WalkItem =
  | WalkedFile
  | { readonly type: "skip"; readonly path: string; readonly reason: SkipReason }
  /** A name that is not UTF-8, or a file or folder that could not be looked at. Nothing is known of what is below. */
  | { readonly type: "failure"; readonly path: string; readonly error: Error };
