const LONGEST = 300;
/** White space, and what a terminal takes as a command or uses to turn text around. */
const NOT_TEXT = /[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g;

/** What a server says of an error, on one short line: the usual fields of a JSON answer, else its text. */
export function serverMessage(body: string): string {
  const text = body.trim();
  if (text === "") return "without a message";
  if (text.startsWith("<")) return "an HTML page: is the URL that of the API?";
  const line = (messageField(text) ?? text).replace(NOT_TEXT, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}

function messageField(text: string): string | undefined {
  try {
    const reply = JSON.parse(text) as { readonly [name: string]: unknown } | null;
    for (const name of ["error", "message", "detail"]) {
      const value = reply?.[name];
      if (typeof value === "string") return value;
      const inner = (value as { readonly message?: unknown } | null | undefined)?.message;
      if (typeof inner === "string") return inner;
    }
  } catch {
    // Not JSON: the text itself is the message.
  }
  return undefined;
}
