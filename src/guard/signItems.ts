import { type Hex, hashTypedData, hexToBytes, isHex, stringToHex, type TypedDataDefinition } from "viem";
import { domainType, hashesFast, signatureKey } from "./GuardItem.ts";
import { Refused } from "./Refused.ts";
import { readAccount } from "./readRequest.ts";
import type { Handling } from "./sendItems.ts";

/** `eth_signTypedData_v4`: the item with the same digest, as its own JSON. */
export async function signTypedData({ book, holds, method, params, provider }: Handling): Promise<unknown> {
  const [account, given] = params;
  const from = readAccount(account);
  const key = signatureKey(from, hashGiven(given));
  return book.handle([key], async (found) => {
    const taken = await book.take(found, { holds });
    const [item] = taken.items;
    try {
      const json = item?.kind === "signature" ? item.typedData.get(key) : undefined;
      if (json === undefined) throw new Refused("it is no signature");
      const signature = await provider.request({ method, params: [from, json] });
      taken.end({ sentHash: undefined });
      return signature;
    } catch (error) {
      // Without a signature, nothing can be submitted.
      taken.end("open");
      throw error;
    }
  });
}

function hashGiven(given: unknown): Hex {
  try {
    const {
      domain = {},
      message,
      primaryType,
      types,
    } = typeof given === "string" ? JSON.parse(given) : Object(given);
    // The digest has the domain's type in the app's order, which a wallet would use.
    if (!hashesFast({ message, types })) throw new Refused("it is larger than typed data of a quote");
    const withDomain = { EIP712Domain: domainType(domain), ...types };
    return hashTypedData({ domain, message, primaryType, types: withDomain } as TypedDataDefinition);
  } catch (error) {
    throw error instanceof Refused ? error : new Refused("it is no typed data");
  }
}

/**
 * Reads a message as the bytes that a wallet signs. Wallets take hexadecimal text for bytes.
 *
 * @throws Refused
 */
export function readMessage(given: unknown): Hex {
  if (typeof given !== "string") throw new Refused("it has no message");
  return isHex(given) && given.length % 2 === 0 ? given : stringToHex(given);
}

/**
 * Expects a message that is not a digest: orders and authorizations are signed as 32 bytes.
 *
 * @returns The forwarded parameters, and whether the message signs in to `domain` (EIP-4361).
 * @throws Refused
 */
export function readPersonalMessage(
  [given, account]: readonly unknown[],
  domain: string | undefined,
): { readonly params: readonly unknown[]; readonly isSignIn: boolean } {
  const message = readMessage(given);
  const from = readAccount(account);
  if (message.length === 66) throw new Refused("it is a digest, which could be an order's signature");
  return { isSignIn: isSignIn(message, domain, `${from}\n`), params: [message, from] };
}

/** Whether a message starts as a sign-in to a domain. */
export function isSignIn(message: Hex, domain: string | undefined, account = ""): boolean {
  const text = new TextDecoder().decode(hexToBytes(message));
  const head = `${domain} wants you to sign in with your Ethereum account:\n${account}`;
  return domain !== undefined && text.toLowerCase().startsWith(head.toLowerCase());
}
