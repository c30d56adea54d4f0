import type { Hex, TypedDataDomain } from "viem";
import type { Eip191Sign, Eip712Sign } from "../schema/quote/step.ts";
import type { Run } from "./Run.ts";
import { toWalletFailedError } from "./toWalletFailedError.ts";

/**
 * Requests the signature of a signature step from the wallet.
 *
 * @throws WalletFailedError, always with outcome `notDone`: without a signature, nothing was submitted.
 *
 * @example
 * const signature = await signStep(run, {
 *   sign: { message: "hello", signatureKind: "eip191" },
 *   stepId: "authorize",
 * });
 */
export async function signStep(
  { wallet }: Run,
  { sign, stepId }: { sign: Eip191Sign | Eip712Sign; stepId: string },
): Promise<Hex> {
  try {
    if (sign.signatureKind === "eip191") {
      return await wallet.signMessage(readMessage(sign.message));
    }
    const { domain, primaryType, value: message } = sign;
    // viem would hash a quote's own `EIP712Domain` and ethers drop it: both derive it from the domain's fields.
    const { EIP712Domain: _, ...types } = sign.types;
    return await wallet.signTypedData({ domain: readDomain(domain), message, primaryType, types });
  } catch (cause) {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  }
}

/** 32 bytes in hexadecimal are a digest to sign as bytes; other values are text. */
function readMessage(message: string): string | { raw: Hex } {
  return isDigest(message) ? { raw: message } : message;
}

function isDigest(message: string): message is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(message);
}

/** Wallets expect a number if it is safe. Omits fields that no domain has: they would change the signed digest. */
function readDomain({
  chainId,
  name,
  salt,
  verifyingContract,
  version,
}: Eip712Sign["domain"]): TypedDataDomain {
  const exact = chainId === undefined ? undefined : BigInt(chainId);
  const fits = exact !== undefined && exact <= BigInt(Number.MAX_SAFE_INTEGER);
  return { chainId: fits ? Number(exact) : exact, name, salt, verifyingContract, version };
}
