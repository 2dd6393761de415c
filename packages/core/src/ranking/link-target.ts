import { posix } from "node:path";
import type { DocumentRecord } from "@docsearch/spec";

/** Finds the document of the index that a link leads to. */
export interface LinkResolver {
  /** `undefined` for what leads elsewhere, or may be one of several documents. */
  resolve(source: DocumentRecord, target: string): ResolvedLink | undefined;
}

export interface ResolvedLink {
  readonly document: DocumentRecord;
  /** Fragment identifier, decoded. */
  readonly anchor?: string;
}

/**
 * Links of documentation leave out endings and index files, and begin at the root of the site, which is not that of
 * the index. So a relative link is resolved from its page's folder, and one with a slash in front is the one document
 * whose path ends so. A fragment alone leads to a part of the page itself.
 */
export function linkResolver(documents: readonly DocumentRecord[]): LinkResolver {
  const byStem = new Map<string, DocumentRecord[]>();
  const byName = new Map<string, DocumentRecord[]>();
  for (const document of documents) {
    const stem = stemOf(pathOf(document));
    add(byStem, stem, document);
    add(byName, posix.basename(stem), document);
  }
  return {
    resolve(source, target) {
      const [path = "", fragment] = splitLink(target);
      const place = fragment === undefined || fragment === "" ? {} : { anchor: decoded(fragment) };
      if (path === "") return "anchor" in place ? { document: source, ...place } : undefined;
      if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return undefined;
      const decodedPath = decoded(path);
      const found = decodedPath.startsWith("/")
        ? endingIn(stemOf(decodedPath.slice(1)))
        : (byStem.get(stemOf(posix.join(posix.dirname(pathOf(source)), decodedPath))) ?? []);
      const own = found.filter(({ collection }) => collection === source.collection);
      const [document] = own;
      if (document === undefined || own.length > 1) return undefined;
      return { document, ...place };
    },
  };

  function endingIn(stem: string): DocumentRecord[] {
    const candidates = byName.get(posix.basename(stem)) ?? [];
    return candidates.filter((document) => `/${stemOf(pathOf(document))}`.endsWith(`/${stem}`));
  }
}

function pathOf({ path, id }: DocumentRecord): string {
  return path ?? id;
}

/** Path without what links leave out: `guide/index.md` and `guide/` are `guide`. */
function stemOf(path: string): string {
  const stem = posix
    .normalize(path)
    .replace(/\.(?:mdx?|markdown|html?|rst|adoc|txt)$/i, "")
    .replace(/(?:^|\/)(?:index|readme)$/i, "")
    .replace(/\/$/, "");
  return stem === "" ? "." : stem;
}

function splitLink(target: string): [path: string, fragment?: string] {
  const [address = "", fragment] = target.split("#", 2);
  const path = address.split("?", 1)[0] ?? "";
  return fragment === undefined ? [path] : [path, fragment];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function add(map: Map<string, DocumentRecord[]>, key: string, document: DocumentRecord): void {
  const group = map.get(key);
  if (group === undefined) map.set(key, [document]);
  else group.push(document);
}
