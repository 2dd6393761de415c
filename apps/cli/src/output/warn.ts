import { escapeLine } from "./escape.js";

/** Writes a line to stderr under the name of the command. Line breaks become blanks. */
export function warn(message: string): void {
  process.stderr.write(`docsearch: ${escapeLine(message.trim().replace(/\s*[\r\n]+\s*/g, " "))}\n`);
}
