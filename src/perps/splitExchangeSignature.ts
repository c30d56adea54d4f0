import type { Hex } from "viem";
import { parseSignature } from "../records/parseSignature.ts";
import { SignatureInvalidError } from "../records/SignatureInvalidError.ts";

export type SplitExchangeSignatureParameters = {
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

export type SplitExchangeSignatureReturnType = {
  readonly r: Hex;
  readonly s: Hex;
  readonly v: 27 | 28;
};

/**
 * Splits a signature for the exchange, with a numeric `v`. Converts a `v` of 0 or 1 from some wallets to 27 or 28.
 *
 * @param parameters The signature.
 * @returns `r` and `s`, 32 bytes each, and `v`.
 * @throws {SignatureInvalidError} For another length, a high `s`, or another `v`.
 *
 * @example
 * import { splitExchangeSignature } from "waybill/perps";
 *
 * splitExchangeSignature({ signature: `0x${"11".repeat(64)}1b` }).v; // 27
 */
export function splitExchangeSignature({
  signature,
}: SplitExchangeSignatureParameters): SplitExchangeSignatureReturnType {
  const { r, s, v } = parseSignature(signature);
  if (v === 0 || v === 27) return { r, s, v: 27 };
  if (v === 1 || v === 28) return { r, s, v: 28 };
  throw new SignatureInvalidError({ fault: "recovers-nobody" });
}
