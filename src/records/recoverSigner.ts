import { type Address, concatHex, type Hex, isHex, numberToHex, recoverAddress, size, slice } from "viem";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readHex } from "../internal/readHex.ts";
import { SignatureInvalidError } from "./SignatureInvalidError.ts";

/** Half the order of secp256k1, rounded down (EIP-2). */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** ERC-2098 keeps the parity of `y` in the top bit of the second word. */
const parityMask = 2n ** 255n - 1n;

export type RecoverSignerParameters = {
  /** What was signed, Ethereum-message prefix included. */
  digest: Hex;
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};
export type RecoverSignerReturnType = Address;
export type RecoverSignerErrorType = InvalidParameterError | SignatureInvalidError;

/**
 * Recovers a signer by the contracts' rules: 65 or 64 bytes, `v` of 27 or 28, low `s` only.
 *
 * @param parameters Digest and signature.
 * @returns The signer's address.
 * @throws {InvalidParameterError} When the digest is not 32 bytes.
 * @throws {SignatureInvalidError} When the contracts would refuse the signature whoever made it.
 *
 * @example
 * import { hashRecord, recoverSigner, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * declare const signature: `0x${string}`;
 * const signer = await recoverSigner({ digest: hashRecord({ record }).digest, signature });
 */
export async function recoverSigner({
  digest,
  signature,
}: RecoverSignerParameters): Promise<RecoverSignerReturnType> {
  const hash = readHex(digest, "digest", 32);
  const { r, s, v } = parse(signature);
  if (BigInt(s) > maxS) throw new SignatureInvalidError({ fault: "s-too-high" });
  // The curve library also takes v of 0 and 1, which the contracts' precompile does not.
  if (v !== 27 && v !== 28) throw new SignatureInvalidError({ fault: "recovers-nobody" });
  try {
    return await recoverAddress({ hash, signature: concatHex([r, s, numberToHex(v)]) });
  } catch (cause) {
    throw new SignatureInvalidError({ cause, fault: "recovers-nobody" });
  }
}

/** Reads either form, in the order in which the contracts look at it. */
function parse(signature: Hex): { r: Hex; s: Hex; v: number } {
  const bytes = isHex(signature) && signature.length % 2 === 0 ? size(signature) : 0;
  if (bytes !== 65 && bytes !== 64) throw new SignatureInvalidError({ fault: "length" });
  const r = slice(signature, 0, 32);
  const second = slice(signature, 32, 64);
  if (bytes === 65) return { r, s: second, v: Number(slice(signature, 64)) };
  const word = BigInt(second);
  return { r, s: numberToHex(word & parityMask, { size: 32 }), v: 27 + Number(word >> 255n) };
}
