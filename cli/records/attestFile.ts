import { type Address, getAddress, type Hex, hashMessage, numberToHex, size } from "viem";
import * as z from "zod";
import { hashRecord } from "../../src/records/encodeRecord.ts";
import { hashOrder } from "../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../src/records/normalizeOrder.ts";
import { SignatureInvalidError } from "../../src/records/SignatureInvalidError.ts";
import { recordFromResponse, recordWord, type SignatureRecord } from "../../src/records/SignatureRecord.ts";
import { type OrderMistake, type VerifyOrderReturnType, verifyOrder } from "../../src/records/verifyOrder.ts";
import {
  type RecordMistake,
  type VerifyRecordReturnType,
  verifyRecord,
} from "../../src/records/verifyRecord.ts";
import { orderDataSchema } from "../../src/schema/quote/order.ts";
import { signatureRecordSchema } from "../../src/schema/record/signatureRecord.ts";
import { usageError } from "../terminal/CommandError.ts";
import { flatten } from "../terminal/flatten.ts";

/** A field of a record or an order. */
type AttestedField = {
  readonly name: string;
  readonly value: string;
  /** How it is signed, of a record. */
  readonly note?: string;
  /** The signed 32 bytes, of a record. */
  readonly word?: Hex;
};

/** An explained and verified record or order. */
export type Attestation = {
  readonly what: "record" | "order";
  readonly fields: readonly AttestedField[];
  /** Hash of a record before the message prefix. */
  readonly hash?: Hex;
  /** Id computed from an order. */
  readonly orderId?: Hex;
  /** The signed digest. */
  readonly digest: Hex;
  /** `undefined` for a signature that recovers to no signer. */
  readonly signer: Address | undefined;
  /** Expected signer. */
  readonly solver: Address;
  readonly verified: boolean;
  /** Reason of a failed verification. */
  readonly reason?: string;
  /** Mistakes of the signer that explain the signature. Each completes the sentence "It verifies if …". */
  readonly mistakes: readonly string[];
};

const hex = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, "not hexadecimal")
  .transform((text) => text as `0x${string}`);
const orderSchema = z.looseObject({
  orderData: orderDataSchema,
  orderId: hex.optional(),
  orderSignature: hex,
});
const quoteSchema = z.looseObject({ protocol: z.looseObject({ v2: orderSchema }) });
const recordSchema = z.looseObject({ ...signatureRecordSchema.shape, requestId: hex });

/**
 * Explains and verifies a saved record, or the order of a quote.
 *
 * @throws CommandError for anything else.
 */
export async function attestFile(value: unknown, solver: Address): Promise<Attestation> {
  const quote = quoteSchema.safeParse(value);
  if (quote.success) return attestOrder(quote.data.protocol.v2, solver);
  const record = recordSchema.safeParse(value);
  if (record.success) return attestRecord(record.data, solver);
  throw usageError(
    "The file has neither requestId, requestData and signature, nor the protocol.v2 of a quote.",
  );
}

type SavedRecord = {
  readonly requestId: Hex;
  readonly requestData: Parameters<typeof recordFromResponse>[0]["requestData"];
  readonly signature: string;
};

/** Explains and verifies a record of version 1. */
export async function attestRecord(saved: SavedRecord, solver: Address): Promise<Attestation> {
  const record = recordFromResponse(saved);
  const signature = saved.signature as Hex;
  return {
    ...hashRecord({ record }),
    ...(await outcomeOf(verifyRecord({ record, signature, solver }))),
    fields: recordFields(record),
    solver: getAddress(solver),
    what: "record",
  };
}

function recordFields(record: SignatureRecord): AttestedField[] {
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

const mistakes: Readonly<Record<OrderMistake | RecordMistake, string>> = {
  "addresses-right-padded": "addresses are padded on the right",
  "id-signed-as-text": "the order id is signed as text instead of 32 bytes",
  "message-prefix-missing": "the hash is signed without the prefix of Ethereum signed messages",
};

const reasons = {
  "order-id": "the order hashes to another id than the quote names",
  "order-solver": "the order names another solver",
  signer: "another key signed, or other fields were signed",
} as const;

async function attestOrder(saved: z.output<typeof orderSchema>, solver: Address): Promise<Attestation> {
  const order = normalizeOrder({ orderData: saved.orderData });
  const id = hashOrder({ order });
  const { orderId, orderSignature: signature } = saved;
  return {
    ...(await outcomeOf(verifyOrder({ order, orderId, signature, solver }))),
    digest: hashMessage({ raw: id }),
    fields: flatten(order).map(([name, value]) => ({ name, value })),
    orderId: id,
    solver: getAddress(solver),
    what: "order",
  };
}

/** What a verification found. A signature that the contracts reject from any signer has none. */
async function outcomeOf(verifying: Promise<VerifyOrderReturnType | VerifyRecordReturnType>) {
  try {
    const verdict = await verifying;
    const { signer } = verdict;
    if (verdict.valid) return { mistakes: [], signer, verified: true };
    const { mistake } = verdict;
    return {
      mistakes: mistake === undefined ? [] : [mistakes[mistake]],
      reason: reasons["reason" in verdict ? verdict.reason : "signer"],
      signer,
      verified: false,
    };
  } catch (error) {
    if (!(error instanceof SignatureInvalidError)) throw error;
    return { mistakes: [], reason: error.shortMessage, signer: undefined, verified: false };
  }
}
