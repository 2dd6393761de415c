export { type Decoded, type DecodeOptions, decode } from "./decode/decode.js";
export { type FileSourceOptions, fileSource } from "./file-source.js";
export { mediaTypeOf } from "./read/media-type.js";
export { type ReadDocumentOptions, readDocument } from "./read/read-document.js";
export { DEFAULT_RULES, type DefaultRule, type SkipReason } from "./skip-reason.js";
export type { WalkOptions } from "./walk/options.js";
export { walk } from "./walk/walk.js";
export type { ContentRule, WalkedFile, WalkItem } from "./walk/walked.js";
export { type WatchFilesOptions, watchFiles } from "./watch/watch-files.js";
