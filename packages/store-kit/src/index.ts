export { bestScores, type Scored } from "./best-scores.js";
export { changeGroups } from "./change-groups.js";
export { codeUnitKey, compareCodeUnits, endOfPrefix, textOfKey } from "./code-units.js";
export { EntryReader } from "./entry-reader.js";
export { REBUILD_COMMAND, schemaMismatch } from "./index-errors.js";
export { ANCESTORS, documentLengths, FIELD_COUNT, lengthsOf, occurrencesOf, PATH, TITLE } from "./lexical-numbers.js";
export { matchesAnyTerm, matchingChunks, termWeights } from "./query-tree.js";
export { assertValidVector } from "./vector-validity.js";
export { type PlannedChunk, type PlannedDocument, type StoredDocument, WritePlan } from "./write-plan.js";
