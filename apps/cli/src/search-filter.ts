import { resolve } from "node:path";
import { nameInProject } from "@docsearch/service/project";
import type { Filter } from "@docsearch/spec";

/**
 * Only documents of these collections, and only files that these paths name, or that lie below them.
 *
 * @param paths from the working directory, as any other path on a command line
 */
export function searchFilter(
  paths: readonly string[],
  collections: readonly string[],
  projectRoot: string,
): Filter | undefined {
  const clauses: Filter[] = [];
  if (paths.length > 0) {
    const names = paths.map((path) => nameInProject(projectRoot, resolve(path)));
    clauses.push({ op: "or", clauses: names.flatMap(atOrBelow) });
  }
  if (collections.length > 0) clauses.push({ op: "in", field: "collection", values: collections });
  return clauses.length > 1 ? { op: "and", clauses } : clauses[0];
}

function atOrBelow(name: string): Filter[] {
  // All of the project: what has no absolute name.
  if (name === "") return [{ op: "not", clause: { op: "prefix", field: "path", value: "/" } }];
  return [
    { op: "in", field: "path", values: [name] },
    { op: "prefix", field: "path", value: name.endsWith("/") ? name : `${name}/` },
  ];
}
