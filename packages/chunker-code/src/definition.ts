import type { Range } from "@docsearch/text-split";

/** A definition with its place among the others. `start` to `end` holds comments and attributes in front of it too. */
export interface Definition extends Range {
  readonly kind: string;
  readonly name: string;
  /** Its own name behind those of the definitions around it. */
  readonly path: readonly string[];
  /** Where the definition itself begins, behind comments and attributes. */
  readonly coreStart: number;
  /** Where the definition itself ends: `end` may lie behind it, over a semicolon. */
  readonly coreEnd: number;
  /** Where its own node begins, behind `export` and what else is around it. */
  readonly nodeStart: number;
  /** Where its signature ends; `coreEnd` without a body. */
  readonly bodyStart: number;
  /** Index of the definition around it, -1 at the top. */
  readonly parent: number;
  /** Comments in front of it, or its docstring. */
  readonly documentation: readonly Range[];
}

/** A section is no definition: it is cut by itself, and nothing names it. */
export function isSection({ kind }: Pick<Definition, "kind">): boolean {
  return kind === "section";
}
