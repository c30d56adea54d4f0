import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { WebhookRefusedError } from "../errors/WebhookRefusedError.ts";

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What decides where may be posted to. */
export type TargetRules = {
  /** Whether anything but this machine may be posted to. */
  readonly allowRemote: boolean;
  readonly resolve: Resolve;
};

/** The machine's own way to find addresses. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

const longestUrl = 2_000;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/**
 * Reads a webhook's URL and looks at every address that its host has.
 *
 * @throws WebhookRefusedError when it is not a URL that may be posted to.
 */
export async function assertTarget(url: string, rules: TargetRules): Promise<void> {
  const target = readTarget(url);
  for (const address of await addressesOf(target, rules.resolve)) assertAddress(target, address, rules);
}

/**
 * Looks at one address, as somebody is about to connect to it: a name may have another one by now.
 *
 * @throws WebhookRefusedError when it is off loopback without leave, or off loopback in clear.
 */
export function assertAddress(
  target: URL,
  { address, family }: LookupAddress,
  { allowRemote }: Pick<TargetRules, "allowRemote">,
): void {
  // An IPv4 address that is wrapped in an IPv6 one is taken for what it is.
  if (loopback.check(address, family === 6 ? "ipv6" : "ipv4")) return;
  if (!allowRemote) {
    throw new WebhookRefusedError(
      `${target.hostname} is ${address}, which is not this machine: webhooks leave it only when that is allowed.`,
    );
  }
  if (target.protocol === "https:") return;
  throw new WebhookRefusedError(
    `${target.hostname} is ${address}: off this machine only https is posted to.`,
  );
}

/**
 * The host as an address, when it is one; nobody resolves those. However it was written, the URL has it in the usual form.
 */
export function literalAddress({ hostname }: URL): LookupAddress | undefined {
  const address = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(address);
  return family === 0 ? undefined : { address, family };
}

function readTarget(url: string): URL {
  if (url.length > longestUrl)
    throw new WebhookRefusedError(`The URL is longer than ${longestUrl} characters.`);
  // What is refused is not repeated: it may carry a password.
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target === undefined) throw new WebhookRefusedError("The URL is not one.");
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw new WebhookRefusedError("The URL is neither http nor https.");
  }
  if (target.username !== "" || target.password !== "") {
    throw new WebhookRefusedError("The URL has a user or a password: send them in a header.");
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
