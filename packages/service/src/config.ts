export type { SourceConfig } from "./config/config-file.js";
export { addSource, removeSource } from "./config/edit-config.js";
export { setJsonMember } from "./config/json-member.js";
export { parseJsonc } from "./config/jsonc.js";
export {
  type ProjectSource,
  type ProjectSources,
  projectSources,
  readableSources,
  refusalOf,
  requireReadable,
} from "./config/project-sources.js";
export { listTrusted, revoke, trust } from "./config/trusted-paths.js";
