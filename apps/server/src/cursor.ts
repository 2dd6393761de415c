/** An opaque place in a list: the last name that was listed. */
export function encodeCursor(name: string): string {
  return Buffer.from(JSON.stringify({ after: name })).toString("base64url");
}

/** `undefined` for what `encodeCursor` did not make. */
export function decodeCursor(cursor: string): string | undefined {
  try {
    const { after } = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as { readonly after?: unknown };
    return typeof after === "string" ? after : undefined;
  } catch {
    return undefined;
  }
}
