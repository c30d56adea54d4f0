import { type Hex, hashMessage, keccak256 } from "viem";
import { type EncodeRecordParameters, encodeRecord } from "./encodeRecord.ts";

export type HashRecordParameters = EncodeRecordParameters;

export type HashRecordReturnType = {
  /** `keccak256(abi.encode(record))`. */
  readonly hash: Hex;
  /** The EIP-191 hash of `hash`, which the solver signs. */
  readonly digest: Hex;
};

/**
 * Computes both hashes of a record.
 *
 * @param parameters The record.
 * @returns The inner hash and the signed digest.
 * @throws {InvalidParameterError} For an invalid field, by name.
 *
 * @example
 * import { hashRecord, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * const { digest } = hashRecord({ record });
 */
export function hashRecord({ record }: HashRecordParameters): HashRecordReturnType {
  const hash = keccak256(encodeRecord({ record }));
  return { hash, digest: hashMessage({ raw: hash }) };
}
