import { DocsearchError } from "@docsearch/spec";

/** Hosts of Azure, which take the key in a header of their own. */
const AZURE_HOST = /\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)$/;

/**
 * The header that carries the key.
 *
 * @throws `CONFIG_INVALID` for a key that cannot stand in a header; the message does not repeat it
 */
export function authorization(apiKey: string | undefined, url: URL, setting: string): Readonly<Record<string, string>> {
  const key = apiKey?.trim();
  if (key === undefined || key === "") return {};
  // The platform's own error for a bad header would quote it.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const expected = "printable ASCII characters without spaces";
    throw new DocsearchError("CONFIG_INVALID", `${setting} is not a key; expected ${expected}`, {
      setting,
      value: "(hidden)",
      expected,
    });
  }
  return AZURE_HOST.test(url.hostname) ? { "api-key": key } : { authorization: `Bearer ${key}` };
}
