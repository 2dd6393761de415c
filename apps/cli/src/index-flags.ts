import { InvalidArgumentError } from "commander";
import type { Selection } from "./places.js";
import type { Flags } from "./setting-flags.js";

/** Flags of the commands that index. */
export interface IndexFlags extends Flags {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly includeSecrets?: boolean;
  /** Bytes. */
  readonly maxFileSize?: number;
  readonly prune?: boolean;
  readonly json?: boolean;
}

/** Which files the flags ask for. */
export function selectionOf({ include, exclude, includeSecrets, maxFileSize, prune = false }: IndexFlags): Selection {
  return {
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(includeSecrets && { allow: ["secret"] as const }),
    ...(maxFileSize !== undefined && { maxFileBytes: maxFileSize }),
    ignoreMissingMounts: prune,
  };
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1000, m: 1_000_000, g: 1_000_000_000 };

/** A size such as `500000`, `500kB` or `1.5 MB`, in bytes. */
export function parseSize(value: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([kmg]?)b?$/i.exec(value.trim()) ?? [];
  const bytes = Math.round(Number(number) * (UNITS[unit?.toLowerCase() ?? ""] ?? Number.NaN));
  if (Number.isSafeInteger(bytes) && bytes >= 1) return bytes;
  throw new InvalidArgumentError("Expected a size such as 500kB or 20MB.");
}

/** A time in seconds such as `2` or `0.5`. */
export function parseSeconds(value: string): number {
  const seconds = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && seconds <= 3600) return seconds;
  throw new InvalidArgumentError("Expected seconds from 0 to 3600.");
}
