const SCHEME = "docsearch://";

/** Of a source, or of a document in it. Each part of a path is encoded by itself. */
export function resourceUri(source: string, path = ""): string {
  const uri = `${SCHEME}${encodeURIComponent(source)}`;
  return path === "" ? uri : `${uri}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export interface ResourceName {
  readonly source: string;
  /** Empty for the source itself. May end in `#L10-L42`. */
  readonly path: string;
}

/** What a URI names, decoded once; `undefined` when it is none of ours. Nothing is joined to a folder. */
export function parseResourceUri(uri: string): ResourceName | undefined {
  const [, source, path = ""] = /^docsearch:\/\/([^/]+)(?:\/(.*))?$/s.exec(uri) ?? [];
  if (source === undefined) return undefined;
  try {
    return { source: decodeURIComponent(source), path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}
