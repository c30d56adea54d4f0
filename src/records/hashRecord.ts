import { type Hex, hashMessage, keccak256 } from "viem";
import { type EncodeRecordErrorType, type EncodeRecordParameters, encodeRecord } from "./encodeRecord.ts";

/** Parameters of {@link hashRecord}. */
export type HashRecordParameters = EncodeRecordParameters;

/** Return value of {@link hashRecord}. */
export type HashRecordReturnType = {
  /** `keccak256(abi.encode(record))`. */
  readonly hash: Hex;
  /** The Ethereum-message hash of `hash`: what the solver's key signs. */
  readonly digest: Hex;
};

/** Errors of {@link hashRecord}. */
export type HashRecordErrorType = EncodeRecordErrorType;

/**
 * Hashes a record, both ways it is needed.
 *
 * @param parameters The record.
 * @returns The inner hash and the signed digest.
 * @throws {InvalidParameterError} Naming the field that does not fit.
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
