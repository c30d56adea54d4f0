import {
  type Address,
  compactSignatureToSignature,
  type Hex,
  isHex,
  parseCompactSignature,
  parseSignature,
  recoverAddress,
  serializeSignature,
  size,
} from "viem";
import { SignatureInvalidError } from "./SignatureInvalidError.ts";

/** Half the order of secp256k1, rounded down (EIP-2). */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

export type RecoverSignerParameters = {
  /** What was signed, Ethereum-message prefix included. */
  digest: Hex;
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};
export type RecoverSignerReturnType = Address;
export type RecoverSignerErrorType = SignatureInvalidError;

/**
 * Recovers a signer by the contracts' rules: 65 or 64 bytes, `v` of 27 or 28, low `s` only.
 *
 * @param parameters Digest and signature.
 * @returns The signer's address.
 * @throws {SignatureInvalidError} When the contracts would refuse the signature whoever made it.
 *
 * @example
 * import { hashRecord, recoverSigner, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * declare const signature: `0x${string}`;
 * const signer = await recoverSigner({ digest: hashRecord({ record }).digest, signature });
 */
export async function recoverSigner({ digest, signature }: RecoverSignerParameters): Promise<RecoverSignerReturnType> {
  const bytes = isHex(signature) && signature.length % 2 === 0 ? size(signature) : 0;
  if (bytes !== 65 && bytes !== 64) throw new SignatureInvalidError({ fault: "length" });
  const v = Number.parseInt(signature.slice(130), 16);
  // viem also takes v of 0 and 1, which the contracts' precompile does not.
  if (bytes === 65 && v !== 27 && v !== 28) throw new SignatureInvalidError({ fault: "recovers-nobody" });

  const parsed =
    bytes === 65 ? parseSignature(signature) : compactSignatureToSignature(parseCompactSignature(signature));
  if (BigInt(parsed.s) > maxS) throw new SignatureInvalidError({ fault: "s-too-high" });
  try {
    return await recoverAddress({ hash: digest, signature: serializeSignature(parsed) });
  } catch (cause) {
    throw new SignatureInvalidError({ cause, fault: "recovers-nobody" });
  }
}
