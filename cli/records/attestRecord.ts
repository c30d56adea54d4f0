import { type Address, getAddress, type Hex, numberToHex, size } from "viem";
import { hashRecord } from "../../src/records/hashRecord.ts";
import { recordFromResponse } from "../../src/records/recordFromResponse.ts";
import { recoverSigner } from "../../src/records/recoverSigner.ts";
import { SignatureInvalidError } from "../../src/records/SignatureInvalidError.ts";
import { recordWord, type SignatureRecord } from "../../src/records/SignatureRecord.ts";
import type { Attestation, AttestedField } from "./Attestation.ts";
import { findRecordMistakes } from "./findRecordMistakes.ts";

/** A record as the service answers it, with its request id. */
export type SavedRecord = {
  readonly requestId: Hex;
  readonly requestData: Parameters<typeof recordFromResponse>[0]["requestData"];
  readonly signature: string;
};

/** Explains and verifies a record of version 1. */
export async function attestRecord(saved: SavedRecord, solver: Address): Promise<Attestation> {
  const record = recordFromResponse(saved);
  const signature = saved.signature as Hex;
  const { digest, hash } = hashRecord({ record });
  const signer = await recoverSigner({ digest, signature }).catch((error: unknown) => {
    if (error instanceof SignatureInvalidError) return error;
    throw error;
  });
  const isSigned = !(signer instanceof SignatureInvalidError);
  const expected = getAddress(solver);
  const verified = signer === expected;
  const reason = isSigned ? "another key signed, or other fields were signed" : signer.shortMessage;
  return {
    digest,
    fields: fieldsOf(record),
    hash,
    mistakes: verified ? [] : await findRecordMistakes(record, signature, expected),
    ...(!verified && { reason }),
    signer: isSigned ? signer : undefined,
    solver: expected,
    verified,
    what: "record",
  };
}

function fieldsOf(record: SignatureRecord): AttestedField[] {
  const number = (name: string, value: bigint | number) => ({
    name,
    note: "uint256",
    value: String(value),
    word: numberToHex(BigInt(value), { size: 32 }),
  });
  const address = (name: string, value: Hex) => ({
    name,
    note: size(value) === 20 ? "20 bytes, left-padded" : "32 bytes, as they are",
    value,
    word: recordWord(value),
  });
  return [
    { name: "requestId", note: "32 bytes, as they are", value: record.requestId, word: record.requestId },
    number("originChainId", record.originChainId),
    address("originUser", record.originUser),
    address("originCurrency", record.originCurrency),
    number("originAmount", record.originAmount),
    number("destinationChainId", record.destinationChainId),
    address("destinationUser", record.destinationUser),
  ];
}
