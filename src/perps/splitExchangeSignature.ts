import type { Hex } from "viem";
import { parseSignature } from "../records/parseSignature.ts";
import { SignatureInvalidError } from "../records/SignatureInvalidError.ts";

/** Parameters of {@link splitExchangeSignature}. */
export type SplitExchangeSignatureParameters = {
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

/** Return value of {@link splitExchangeSignature}. */
export type SplitExchangeSignatureReturnType = {
  readonly r: Hex;
  readonly s: Hex;
  readonly v: 27 | 28;
};

/** Errors of {@link splitExchangeSignature}. */
export type SplitExchangeSignatureErrorType = SignatureInvalidError;

/**
 * Takes a signature apart as the exchange takes it: `v` is a number. Some wallets give 0 and 1 for it; those become 27 and 28.
 *
 * @param parameters The signature.
 * @returns `r` and `s`, 32 bytes each, and `v`.
 * @throws {SignatureInvalidError} When it is of another length, `s` is high, or `v` is none of these.
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
