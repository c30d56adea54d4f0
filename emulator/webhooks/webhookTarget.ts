import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { BlockList, isIP } from "node:net";
import * as z from "zod";
import { signatureHeader, timestampHeader } from "../../src/webhooks/headers.ts";
import { WebhookRefusedError } from "../errors/refusals.ts";

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Rules for webhook targets. */
export type TargetRules = {
  /** Whether targets on other machines are allowed. */
  readonly allowRemote: boolean;
  readonly resolve: Resolve;
};

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Validates a webhook's URL and every address that its host resolves to. */
export async function assertTarget(url: string, rules: TargetRules): Promise<void> {
  const target = readTarget(url);
  for (const address of await addressesOf(target, rules.resolve)) assertAddress(target, address, rules);
}

/** Validates one resolved address. Call it again before connecting: a host name may resolve differently by then. */
export function assertAddress(
  target: URL,
  { address, family }: LookupAddress,
  { allowRemote }: Pick<TargetRules, "allowRemote">,
): void {
  // `BlockList` treats an IPv4-mapped IPv6 address as its IPv4 address.
  if (loopback.check(address, family === 6 ? "ipv6" : "ipv4")) return;
  if (!allowRemote) {
    throw new WebhookRefusedError(
      `${target.hostname} is ${address}, which is not this machine: remote webhooks are not allowed.`,
    );
  }
  if (target.protocol === "https:") return;
  throw new WebhookRefusedError(
    `${target.hostname} is ${address}, which is not this machine: remote webhooks must use https.`,
  );
}

/**
 * Returns the URL's host if it is a literal address, which is never resolved. `URL` has normalized its notation.
 */
export function literalAddress({ hostname }: URL): LookupAddress | undefined {
  const address = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(address);
  return family === 0 ? undefined : { address, family };
}

function readTarget(url: string): URL {
  // The messages do not repeat the URL: it may contain a password.
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined) throw new WebhookRefusedError("The URL is invalid.");
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw new WebhookRefusedError("The URL must be http or https.");
  }
  if (target.username !== "" || target.password !== "") {
    throw new WebhookRefusedError("The URL contains credentials: send them in a header.");
  }
  return target;
}

async function addressesOf(target: URL, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const literal = literalAddress(target);
  if (literal !== undefined) return [literal];
  const addresses = await resolve(target.hostname).catch(() => []);
  if (addresses.length === 0) throw new WebhookRefusedError(`${target.hostname} has no address.`);
  return addresses;
}

/** Headers of the HTTP protocol and of the signature; custom headers cannot override them. */
const reserved: ReadonlySet<string> = new Set([
  signatureHeader,
  timestampHeader,
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headersSchema = z.record(z.string(), z.string());

/** Reads the custom headers of an endpoint from their stored form. */
export function parseCustomHeaders(json: string): Readonly<Record<string, string>> {
  return headersSchema.parse(JSON.parse(json));
}

/** Validates the custom headers of a webhook. */
export function assertCustomHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (reserved.has(name.toLowerCase()) || /^proxy-/i.test(name)) {
      throw new WebhookRefusedError(`The header ${name} is reserved.`);
    }
    // The message repeats neither name nor value: a value may be a secret.
    if (!isSendable(name, value)) throw new WebhookRefusedError("A header has an invalid name or value.");
  }
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
