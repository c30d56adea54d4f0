import { type Address, concatHex, type Hex, numberToHex, recoverAddress } from "viem";
import { readHex } from "../internal/readHex.ts";
import { parseSignature } from "./parseSignature.ts";
import { SignatureInvalidError } from "./SignatureInvalidError.ts";

export type RecoverSignerParameters = {
  /** Signed digest, including the EIP-191 prefix. */
  digest: Hex;
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

export type RecoverSignerReturnType = Address;

/**
 * Recovers a signer by the contracts' rules: 65 or 64 bytes, `v` of 27 or 28, low `s` only.
 *
 * @param parameters Digest and signature.
 * @returns The signer's address.
 * @throws {InvalidParameterError} Unless the digest is 32 bytes.
 * @throws {SignatureInvalidError} For a signature that the contracts reject from any signer.
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
  const { r, s, v } = parseSignature(signature);
  // The curve library also accepts a `v` of 0 or 1; the contracts' precompile does not.
  if (v !== 27 && v !== 28) throw new SignatureInvalidError({ fault: "recovers-nobody" });
  try {
    return await recoverAddress({ hash, signature: concatHex([r, s, numberToHex(v)]) });
  } catch (cause) {
    throw new SignatureInvalidError({ cause, fault: "recovers-nobody" });
  }
}
