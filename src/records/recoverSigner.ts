import {
  type Address,
  concatHex,
  type Hex,
  hashMessage,
  isHex,
  numberToHex,
  recoverAddress,
  size,
  slice,
} from "viem";
import { readHex } from "../internal/readHex.ts";
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

export type RecoverOrderSignerParameters = {
  /** Result of `hashOrder`. Hash the order yourself: a received id may belong to another order. */
  orderId: Hex;
  /** `protocol.v2.orderSignature`: 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

export type RecoverOrderSignerReturnType = Address;

/**
 * Recovers the signer of an order by the contracts' rules: an EIP-191 message over the 32 raw bytes of the `orderId`.
 *
 * @returns The signer's address.
 * @throws {InvalidParameterError} Unless the id is 32 bytes.
 * @throws {SignatureInvalidError} For a signature that the contracts reject from any signer.
 *
 * @example
 * import { hashOrder, type Order, recoverOrderSigner } from "waybill";
 *
 * declare const order: Order;
 * declare const signature: `0x${string}`;
 * const solver = await recoverOrderSigner({ orderId: hashOrder({ order }), signature });
 */
export async function recoverOrderSigner({
  orderId,
  signature,
}: RecoverOrderSignerParameters): Promise<RecoverOrderSignerReturnType> {
  return recoverSigner({ digest: hashMessage({ raw: readHex(orderId, "orderId", 32) }), signature });
}

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
