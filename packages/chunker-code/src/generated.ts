import type { Document, Metadata } from "@docsearch/spec";

/** Why a file is not written by hand, or not in this repository. */
export interface Origin {
  /** For the document: `generated` for what a program wrote, `vendored` for what was copied from elsewhere. */
  readonly metadata: Metadata;
  readonly reason: string;
  readonly isMinified: boolean;
}

/** A marker stands in the first lines, or in the comments that a file begins with: a licence may come first. */
const MARKER_LINES = 10;
const HEADER_LINES = 60;
const MARKER_CHARACTERS = 8192;
const COMMENT = /^\s*(?:\/\/+|\/?\*+|#+|--+|;+|%+|<!--|"""|'''|\(\*|\{-|')!?\s*/;
const MARKER = /^@generated\b|\bDO NOT (?:EDIT|MODIFY)\b|\bgenerated\b.*\bdo not (?:edit|modify)\b/;
const PHRASE =
  /<auto-?generated|^(?:(?:this|the) (?:file|code|module|source|header)|these (?:definitions|types|files|bindings)) (?:is|was|are|were|has been|have been) (?:auto(?:matically)?[- ]?)?generated\b|^auto(?:matically)?[- ]?generated (?:by|file|from|code|with|using)\b/i;
/** With its capital: in the middle of a sentence the words mean something else. */
const SENTENCE = /^Generated (?:automatically|by|from|with|using)\b/;
const GENERATED_NAME =
  /(?:^|\/)(?:[^/]*(?:\.pb\.(?:go|cc|h|rb)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|ts)|\.(?:g|freezed)\.dart|\.(?:g|designer)\.cs)|zz_generated[^/]*\.go|[^/]*\.min\.(?:m?js|css))$/i;
/** Mean characters of a line from which on nobody wrote it. */
const MINIFIED_LINE = 500;
const MINIFIED_LEAST = 2048;
const MINIFIED_SAMPLE = 65_536;
const LOCK_FILE =
  /(?:^|\/)(?:[^/]*\.lock|[^/]*\.lockfile|[^/]*[-.]lock\.(?:json|ya?ml|hcl)|npm-shrinkwrap\.json|go(?:\.work)?\.sum|(?:cartfile|package)\.resolved)$/i;
const VENDOR_FOLDER = /(?:^|\/)(vendor|vendored|third[-_]party|3rdparty|node_modules|bower_components)\//i;

/** What shows that a file was generated, minified, locked or vendored; `undefined` for all others. */
export function originOf({ text, path = "" }: Pick<Document, "text" | "path">): Origin | undefined {
  if (isMinified(text))
    return origin({ generated: true }, `minified: lines of more than ${MINIFIED_LINE} characters on average`, true);
  const marker = markerLine(text);
  if (marker !== undefined) return origin({ generated: true }, `generated: line ${marker} says so`);
  if (GENERATED_NAME.test(path)) return origin({ generated: true }, "generated: by its name");
  if (LOCK_FILE.test(path)) return origin({ generated: true }, "generated: a lock file by its name");
  const folder = VENDOR_FOLDER.exec(path)?.[1];
  return folder === undefined ? undefined : origin({ vendored: true }, `vendored: the file lies in ${folder}/`);
}

function origin(metadata: Metadata, reason: string, isMinifiedText = false): Origin {
  return { metadata, reason, isMinified: isMinifiedText };
}

function isMinified(text: string): boolean {
  const sample = text.slice(0, MINIFIED_SAMPLE);
  if (sample.length < MINIFIED_LEAST) return false;
  // More lines than these need not be counted.
  const enough = Math.ceil(sample.length / MINIFIED_LINE);
  return sample.length / sample.split(/\r\n?|\n/, enough).length > MINIFIED_LINE;
}

/** 1-based. A program that writes the marker has it in a string. */
function markerLine(text: string): number | undefined {
  const lines = text.slice(0, MARKER_CHARACTERS).split(/\r\n?|\n/, HEADER_LINES);
  let isBlock = false;
  let isHeader = true;
  for (const [index, line] of lines.entries()) {
    const isComment = isBlock || COMMENT.test(line);
    isHeader &&= isComment || line.trim() === "";
    if (index >= MARKER_LINES && !isHeader) return undefined;
    if (/^\s*\/\*/.test(line)) isBlock = true;
    if (line.includes("*/")) isBlock = false;
    if (!isComment && /[="'`(]/.test(line)) continue;
    const remark = line.replace(COMMENT, "").replace(/^!+\s*/, "");
    if (MARKER.test(remark) || PHRASE.test(remark) || SENTENCE.test(remark)) return index + 1;
  }
  return undefined;
}
