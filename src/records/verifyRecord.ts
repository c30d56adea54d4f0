import { type Address, encodePacked, getAddress, type Hex, hashMessage, keccak256, pad, size } from "viem";
import { readAddress } from "../internal/readAddress.ts";
import { encodeRecord, hashRecord } from "./encodeRecord.ts";
import { recoverSigner } from "./recoverSigner.ts";
import type { SignatureRecord } from "./SignatureRecord.ts";

/** Known encoding mistakes under which the solver's signature is valid. */
export type RecordMistake = "addresses-right-padded" | "message-prefix-missing";

export type VerifyRecordParameters = {
  record: SignatureRecord;
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
  /** Expected signer. */
  solver: Address;
};

export type VerifyRecordReturnType =
  | { readonly valid: true; readonly signer: Address }
  | {
      readonly valid: false;
      /** Recovered address; meaningless unless the key is known. */
      readonly signer: Address;
      /** Set if the solver signed these fields with a known encoding mistake. */
      readonly mistake?: RecordMistake;
    };

/**
 * Verifies that the solver signed exactly this record.
 *
 * @returns Validity; if invalid, a known encoding mistake that explains it.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 * @throws {SignatureInvalidError} For a signature that the contracts reject from any signer.
 *
 * @example
 * import { verifyRecord, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * declare const signature: `0x${string}`;
 * const verdict = await verifyRecord({
 *   record,
 *   signature,
 *   solver: "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF",
 * });
 * if (!verdict.valid) throw new Error(verdict.mistake ?? `signed by ${verdict.signer}`);
 */
export async function verifyRecord(parameters: VerifyRecordParameters): Promise<VerifyRecordReturnType> {
  const { record, signature } = parameters;
  const solver = getAddress(readAddress(parameters.solver, "solver"));
  const { hash, digest } = hashRecord({ record });
  const signer = await recoverSigner({ digest, signature });
  if (signer === solver) return { signer, valid: true };

  for (const [mistake, wrongDigest] of [
    ["addresses-right-padded", hashMessage({ raw: keccak256(rightPadded(record)) })],
    ["message-prefix-missing", hash],
  ] as const) {
    const wrongSigner = await recoverSigner({ digest: wrongDigest, signature }).catch(() => undefined);
    if (wrongSigner === solver) return { mistake, signer, valid: false };
  }
  return { signer, valid: false };
}

/** Encodes the record with right-padded 20-byte addresses. */
function rightPadded(record: SignatureRecord): Hex {
  const word = (address: Hex) => pad(address, { dir: "right", size: 32 });
  const encoded = encodeRecord({ record });
  const words = Array.from({ length: 7 }, (_, i): Hex => `0x${encoded.slice(2 + i * 64, 66 + i * 64)}`);
  for (const [index, address] of [
    [2, record.originUser],
    [3, record.originCurrency],
    [6, record.destinationUser],
  ] as const) {
    if (size(address) === 20) words[index] = word(address);
  }
  return encodePacked(["bytes32[]"], [words]);
}
