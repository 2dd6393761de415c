import { DocsearchError, type Env } from "@docsearch/spec";

/** A whole number of at least 1. Throws `CONFIG_INVALID`, which names `setting`. */
export function requireCount(setting: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  const expected = "a whole number of at least 1";
  throw new DocsearchError("CONFIG_INVALID", `${setting} is ${String(value)}; expected ${expected}`, {
    setting,
    value: String(value),
    expected,
  });
}

/** The value of a variable that is set and not blank. */
export function textFrom(env: Env, variable: string): string | undefined {
  return env[variable]?.trim() || undefined;
}

/** A prefix as it stands, since it may end with a space; `none` is the empty one. */
export function prefixFrom(env: Env, variable: string): string | undefined {
  const value = env[variable];
  return value?.trim() === "none" ? "" : value || undefined;
}

/** The whole number of at least 1 in a variable that is set. Throws `CONFIG_INVALID`. */
export function countFrom(env: Env, variable: string): number | undefined {
  const text = textFrom(env, variable);
  return text === undefined ? undefined : requireCount(variable, Number(text));
}

/** Whether a variable is `yes`. Throws `CONFIG_INVALID` for another value than `yes` and `no`. */
export function switchFrom(env: Env, variable: string): boolean {
  const value = textFrom(env, variable) ?? "no";
  if (value === "yes" || value === "no") return value === "yes";
  const expected = "yes or no";
  throw new DocsearchError("CONFIG_INVALID", `${variable} is "${value}"; expected ${expected}`, {
    setting: variable,
    value,
    expected,
  });
}

/** `object` without its undefined properties. */
export function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
