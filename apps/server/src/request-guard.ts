import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LOOPBACK } from "./options.js";

export interface GuardOptions {
  readonly token?: string;
  /** Host names besides loopback. */
  readonly allowedHosts: readonly string[];
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly message: string;
}

/**
 * Looks at Host, Origin and token before a route is chosen or a body is read. Without the first two, any web page could
 * reach a server on this machine by rebinding a name of its own.
 *
 * @returns `undefined` when the request may go on
 */
export function guardRequest(request: IncomingMessage, { token, allowedHosts }: GuardOptions): Refusal | undefined {
  const names = [...LOOPBACK, ...allowedHosts.map((host) => host.toLowerCase())];
  const { host, origin, authorization } = request.headers;
  // Node reads the first of several, what stands between may have read the last.
  if ((request.headersDistinct.host?.length ?? 0) > 1) return { status: 400, message: "there is more than one Host" };
  if (host === undefined || !names.includes(hostnameOf(`http://${host}`) ?? "")) {
    return { status: 403, message: "this Host is not served; DOCS_SERVER_ALLOWED_HOSTS names others" };
  }
  if (origin !== undefined && !names.includes(hostnameOf(origin) ?? "")) {
    return { status: 403, message: "this Origin is not served; DOCS_SERVER_ALLOWED_HOSTS names others" };
  }
  // Says nothing but that the server is up.
  if (token === undefined || request.url === "/healthz") return undefined;
  if (isSame(authorization ?? "", `Bearer ${token}`)) return undefined;
  return { status: 401, message: "expected Authorization: Bearer and the token of DOCS_SERVER_TOKEN" };
}

/** `undefined` for what is no address of http or https. */
function hostnameOf(address: string): string | undefined {
  try {
    const { protocol, hostname, username, password, pathname } = new URL(address);
    const isPlainOrigin = username === "" && password === "" && pathname === "/";
    return /^https?:$/.test(protocol) && isPlainOrigin ? hostname : undefined;
  } catch {
    return undefined;
  }
}

/** In a time that says nothing of where they differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
