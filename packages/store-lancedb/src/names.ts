import { randomBytes } from "node:crypto";

/** Digits of a time in base 36. They are nine until the year 5188. */
const TIME_DIGITS = 9;

/** A name that no other process gives, and that sorts by the time when it was given. It holds digits and small letters. */
export function newName(): string {
  return Date.now().toString(36).padStart(TIME_DIGITS, "0") + randomBytes(6).toString("hex");
}

/** When a name was given, in milliseconds since 1970. */
export function timeOfName(name: string): number {
  return Number.parseInt(name.slice(0, TIME_DIGITS), 36);
}
