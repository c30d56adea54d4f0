import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** A refusal that is sent before the request is read. */
export type Refusal = { readonly status: number; readonly message: string; readonly errorCode: string };

/** Host names that public DNS cannot resolve to an attacker's address. */
const localNames = /^(?:localhost|.+\.localhost|host\.docker\.internal)$/;

/**
 * Checks the Host header against DNS rebinding: an attacker's page may resolve its own name to this machine and then
 * shares the origin. A server on loopback therefore serves only literal addresses and local names.
 */
export function refuseHost(request: IncomingMessage, hostname: string): Refusal | undefined {
  const hosts = hostsOf(request);
  if (hosts.length > 1) {
    return { errorCode: "INVALID_REQUEST", message: "There is more than one Host header", status: 400 };
  }
  const [host] = hosts;
  // HTTP/1.0 clients send no Host header; browsers always do.
  if (host === undefined || !isLoopback(hostname) || isLocal(host, hostname)) return undefined;
  return { errorCode: "HOST_NOT_ALLOWED", message: "This host is not served here", status: 403 };
}

/** Reads raw headers, because Node keeps only the first of two Host headers. */
function hostsOf({ rawHeaders }: IncomingMessage): readonly string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "host") hosts.push(rawHeaders[index + 1] ?? "");
  }
  return hosts;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127\./.test(hostname);
}

function isLocal(host: string, hostname: string): boolean {
  const name = host.replace(/:\d*$/, "").toLowerCase();
  const address = name.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) !== 0 || localNames.test(name) || name === hostname.toLowerCase();
}
