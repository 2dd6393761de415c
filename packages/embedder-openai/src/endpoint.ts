import { DocsearchError } from "@docsearch/spec";

/** The setting that a value came from, for messages: the option's name, or the variable that sets it. */
export interface EndpointCheck {
  readonly setting: string;
  /** Whether `http:` may be used beyond this machine. */
  readonly allowHttp: boolean;
}

/**
 * The URL of a server, checked.
 *
 * @throws `CONFIG_INVALID` when it is no URL, is not http or https, holds a user name or password, or would send texts
 * and key unencrypted to another machine. The message never repeats a password.
 */
export function parseEndpoint(value: string, { setting, allowHttp }: EndpointCheck): URL {
  const text = value.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalid(setting, withoutCredentials(text), "a URL such as https://api.openai.com/v1");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid(setting, withoutCredentials(text), "a URL without a user name and password; the key is a setting");
  }
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url.hostname)) {
    const expected =
      "https, or http on this machine; DOCS_EMBEDDER_ALLOW_HTTP=yes, for a reranker DOCS_RERANKER_ALLOW_HTTP=yes, sends texts and key unencrypted";
    throw invalid(setting, shownUrl(url), expected);
  }
  url.hash = "";
  if (url.pathname.length > 1) url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

/** What messages show of a URL: a query can hold a secret. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** The URL with `segments` put behind its path. */
export function withPath(url: URL, segments: string): URL {
  const extended = new URL(url);
  extended.pathname = `${url.pathname.replace(/\/+$/, "")}${segments}`;
  return extended;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/]*@/, "//").replace(/[?#].*$/s, "");
}

function invalid(setting: string, value: string, expected: string): DocsearchError<"CONFIG_INVALID"> {
  return new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; expected ${expected}`, {
    setting,
    value,
    expected,
  });
}
