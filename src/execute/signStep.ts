import type { Hex, TypedDataDomain } from "viem";
import type { Eip191Sign, Eip712Sign } from "../schema/step.ts";
import type { Run } from "./Run.ts";
import { toWalletFailedError } from "./toWalletFailedError.ts";

/**
 * Asks the wallet for the signature that a signature step wants.
 *
 * @throws WalletFailedError, always with the outcome `notDone`: a signature that was not given is not used.
 *
 * @example
 * const signature = await signStep(run, {
 *   sign: { message: "hello", signatureKind: "eip191" },
 *   stepId: "authorize",
 * });
 */
export async function signStep(
  { account, wallet }: Run,
  { sign, stepId }: { sign: Eip191Sign | Eip712Sign; stepId: string },
): Promise<Hex> {
  try {
    if (sign.signatureKind === "eip191") {
      return await wallet.signMessage({ account, message: readMessage(sign.message) });
    }
    const { domain, primaryType, types, value: message } = sign;
    return await wallet.signTypedData({ account, domain: readDomain(domain), message, primaryType, types });
  } catch (cause) {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  }
}

/** 32 bytes in hexadecimal are a digest, to be signed as bytes; anything else is text. */
function readMessage(message: string): string | { raw: Hex } {
  return isDigest(message) ? { raw: message } : message;
}

function isDigest(message: string): message is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(message);
}

/** Wallets expect a number where it fits one. */
function readDomain({ chainId, ...domain }: Eip712Sign["domain"]): TypedDataDomain {
  const exact = chainId === undefined ? undefined : BigInt(chainId);
  const fits = exact !== undefined && exact <= BigInt(Number.MAX_SAFE_INTEGER);
  return {
    ...(domain.name === undefined ? {} : { name: domain.name }),
    ...(domain.version === undefined ? {} : { version: domain.version }),
    ...(exact === undefined ? {} : { chainId: fits ? Number(exact) : exact }),
    ...(domain.verifyingContract === undefined ? {} : { verifyingContract: domain.verifyingContract }),
    ...(domain.salt === undefined ? {} : { salt: domain.salt }),
  };
}
