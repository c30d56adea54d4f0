import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** A request that is refused before anything reads it. */
export type Refusal = { readonly status: number; readonly message: string; readonly errorCode: string };

/** Names that no foreign name server can answer for. */
const localNames = /^(?:localhost|.+\.localhost|host\.docker\.internal)$/;

/**
 * Whether a server on an address may answer a request for a host. A page of a foreign site can have its name resolve to
 * this machine (DNS rebinding) and is of the same origin then, so on loopback only addresses and local names are served.
 *
 * @param hostname What the server listens on.
 * @returns Why it is refused; `undefined` when it is not.
 */
export function refuseHost(request: IncomingMessage, hostname: string): Refusal | undefined {
  const hosts = hostsOf(request);
  if (hosts.length > 1) {
    return { errorCode: "INVALID_REQUEST", message: "There is more than one Host header", status: 400 };
  }
  const [host] = hosts;
  // Programs of HTTP/1.0 send none; pages always do.
  if (host === undefined || !isLoopback(hostname) || isLocal(host, hostname)) return undefined;
  return { errorCode: "HOST_NOT_ALLOWED", message: "This host is not served here", status: 403 };
}

/** From the raw headers: Node keeps the first of two. */
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
