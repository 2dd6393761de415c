import { DATABASE_SABOTEURS } from "./saboteurs/databases.js";
import { FILTER_SABOTEURS } from "./saboteurs/filtering.js";
import { LIFECYCLE_SABOTEURS } from "./saboteurs/lifecycle.js";
import { ORDERING_SABOTEURS } from "./saboteurs/ordering.js";
import { RANKING_SABOTEURS } from "./saboteurs/ranking.js";
import { READING_SABOTEURS } from "./saboteurs/reading.js";
import type { Saboteur } from "./saboteurs/saboteur.js";
import { SPACE_SABOTEURS } from "./saboteurs/spaces.js";
import { VECTOR_SABOTEURS } from "./saboteurs/vectors.js";
import { VERSIONED_TABLE_SABOTEURS } from "./saboteurs/versioned-tables.js";
import { WRITING_SABOTEURS } from "./saboteurs/writing.js";

/** Stores that are wrong in one way each. The suite has to find every one of them. */
export const SABOTEURS: readonly Saboteur[] = [
  ...RANKING_SABOTEURS,
  ...FILTER_SABOTEURS,
  ...ORDERING_SABOTEURS,
  ...VECTOR_SABOTEURS,
  ...SPACE_SABOTEURS,
  ...WRITING_SABOTEURS,
  ...READING_SABOTEURS,
  ...LIFECYCLE_SABOTEURS,
  ...DATABASE_SABOTEURS,
  ...VERSIONED_TABLE_SABOTEURS,
];
