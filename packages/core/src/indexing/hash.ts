import { hash } from "node:crypto";

/**
 * 128 bits of SHA-256 over the parts, as 22 characters of base64url. Each part is prefixed with its length,
 * so that no two lists of parts run together into the same input.
 */
export function hashParts(parts: readonly string[]): string {
  return hash("sha256", parts.map((part) => `${part.length}:${part}`).join(""), "base64url").slice(0, 22);
}
