import { HttpFailure } from "./http-failure.js";

/** The text of an answer, of at most `maxBytes` after decompression. More fails, or is cut off when `cut` is set. */
export async function readBody(response: Response, maxBytes: number, cut = false): Promise<string> {
  if (response.body === null) return "";
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    parts.push(part);
    bytes += part.length;
    if (bytes <= maxBytes) continue;
    if (cut) break;
    throw new HttpFailure(`sent more than ${Math.round(maxBytes / 1e6)} MB`, {
      status: response.status,
      retryable: false,
    });
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
