import { type Hex, isHex, numberToHex, size, slice } from "viem";
import { SignatureInvalidError } from "./SignatureInvalidError.ts";

/**
 * Highest `s` of a signature that contracts and chains take: half the order of secp256k1, rounded down (EIP-2). Anyone can
 * make a twin with the other `s`, which gives a transaction another hash.
 */
export const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** ERC-2098 stores the parity of `y` in the top bit of the second word. */
const parityMask = 2n ** 255n - 1n;

/**
 * Splits a signature of either form, with the contracts' checks in their order.
 *
 * @param signature 65 bytes, or the 64 bytes of ERC-2098.
 * @returns The parts. The caller validates `v`.
 * @throws {SignatureInvalidError} For another length, or a high `s`.
 */
export function parseSignature(signature: Hex): { r: Hex; s: Hex; v: number } {
  const bytes = isHex(signature) && signature.length % 2 === 0 ? size(signature) : 0;
  if (bytes !== 65 && bytes !== 64) throw new SignatureInvalidError({ fault: "length" });
  const r = slice(signature, 0, 32);
  const second = BigInt(slice(signature, 32, 64));
  const compact = bytes === 64;
  const s = compact ? second & parityMask : second;
  if (s > highestS) throw new SignatureInvalidError({ fault: "s-too-high" });
  const v = compact ? 27 + Number(second >> 255n) : Number(slice(signature, 64));
  return { r, s: numberToHex(s, { size: 32 }), v };
}
