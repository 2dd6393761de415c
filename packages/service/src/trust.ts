import type { DocumentRecord } from "@docsearch/spec";

/** Who wrote a document: the people of the project, or somebody else whose words came along. */
export type Trust = "project" | "third-party";

/** Folders in which the packages of others lie. */
const OTHERS: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "jspm_packages",
  "vendor",
  "third_party",
  "third-party",
  "thirdparty",
  "external",
  "site-packages",
  "dist-packages",
  "Pods",
  "Carthage",
]);

/** A path from the project's folder, or what else a collection may be called. */
export function trustOfName(name: string): Trust {
  const isElsewhere = /^(?:\/|\\|[a-z]:|[a-z][a-z0-9+.-]*:\/\/)/i.test(name) || name.split("/").includes("..");
  return isElsewhere || name.split("/").some((part) => OTHERS.has(part)) ? "third-party" : "project";
}

/** What came from a folder outside the project, from a package folder or from a website is somebody else's. */
export function trustOf({ id, path, collection, url }: DocumentRecord): Trust {
  const isOwn = url === undefined && [collection, path ?? id].every((name) => trustOfName(name) === "project");
  return isOwn ? "project" : "third-party";
}

/** What a label says of it: only what is out of the ordinary. */
export function trustLabel(trust: Trust): readonly string[] {
  return trust === "project" ? [] : [trust];
}
