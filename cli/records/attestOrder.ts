import { type Address, getAddress, type Hex, hashMessage } from "viem";
import { hashOrder } from "../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../src/records/normalizeOrder.ts";
import { SignatureInvalidError } from "../../src/records/SignatureInvalidError.ts";
import { type OrderMistake, type VerifyOrderReturnType, verifyOrder } from "../../src/records/verifyOrder.ts";
import type { WireOrder } from "../../src/records/WireOrder.ts";
import type { Attestation, AttestedField } from "./Attestation.ts";

/** `protocol.v2` of a quote. */
export type SavedOrder = {
  readonly orderData: WireOrder;
  readonly orderId?: Hex | undefined;
  readonly orderSignature: Hex;
};

const mistakes: Readonly<Record<OrderMistake, string>> = {
  "id-signed-as-text": "the order id is signed as text instead of 32 bytes",
  "message-prefix-missing": "the order id is signed without the prefix of Ethereum signed messages",
};

const reasons = {
  "order-id": "the order hashes to another id than the quote names",
  "order-solver": "the order names another solver",
  signer: "another key signed, or another order was signed",
} as const;

/** Explains and verifies an order. */
export async function attestOrder(saved: SavedOrder, solver: Address): Promise<Attestation> {
  const order = normalizeOrder({ orderData: saved.orderData });
  const id = hashOrder({ order });
  const { orderId, orderSignature: signature } = saved;
  const verdict = await verifyOrder({ order, orderId, signature, solver }).catch((error: unknown) => {
    if (error instanceof SignatureInvalidError) return error;
    throw error;
  });
  return {
    digest: hashMessage({ raw: id }),
    fields: fieldsOf(order),
    orderId: id,
    solver: getAddress(solver),
    what: "order",
    ...outcomeOf(verdict),
  };
}

function outcomeOf(verdict: VerifyOrderReturnType | SignatureInvalidError) {
  if (verdict instanceof SignatureInvalidError) {
    return { mistakes: [], reason: verdict.shortMessage, signer: undefined, verified: false };
  }
  const { signer } = verdict;
  if (verdict.valid) return { mistakes: [], signer, verified: true };
  const { mistake, reason } = verdict;
  return {
    mistakes: mistake === undefined ? [] : [mistakes[mistake]],
    reason: reasons[reason],
    signer,
    verified: false,
  };
}

/** All values of an order with their paths. */
function fieldsOf(value: unknown, path = ""): AttestedField[] {
  if (typeof value !== "object" || value === null)
    return [{ name: path, note: noteOf(value), value: String(value) }];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isItem = Array.isArray(value);
    return fieldsOf(inner, isItem ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`);
  });
}

function noteOf(value: unknown): string {
  if (typeof value === "bigint") return "uint256";
  if (typeof value === "number") return "unix seconds";
  return typeof value === "string" && value.startsWith("0x")
    ? `${(value.length - 2) / 2} bytes, hashed`
    : "text, hashed";
}
