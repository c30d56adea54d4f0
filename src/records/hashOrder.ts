import { concatHex, type Hex, keccak256, numberToHex, pad, stringToHex } from "viem";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readList, readObject, readText, readUint32 } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { Order, OrderFee, OrderInput, OrderOutput } from "./Order.ts";

// EIP-712 types of an order. In `Output` the deadline stands before the calls, unlike in the JSON.
const paymentType = "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)";
const refundType =
  "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)";
const inputType = `Input(InputPayment payment,InputRefund[] refunds)${paymentType}${refundType}`;
const outputPaymentType =
  "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)";
const outputType = `Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)${outputPaymentType}`;
const feeType =
  "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)";
const orderType = `Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)${feeType}${inputType}${outputType}`;

/** Longest value whose hash is kept, as hex digits with `0x`: chains, currencies, contracts and what is empty are shorter. */
const longestKept = 2 + 2 * 64;
const mostKept = 1_024;
const kept = /* @__PURE__ */ new Map<Hex, Hex>();

const typeHashes = {
  fee: /* @__PURE__ */ text(feeType, "type"),
  input: /* @__PURE__ */ text(inputType, "type"),
  order: /* @__PURE__ */ text(orderType, "type"),
  output: /* @__PURE__ */ text(outputType, "type"),
  outputPayment: /* @__PURE__ */ text(outputPaymentType, "type"),
  payment: /* @__PURE__ */ text(paymentType, "type"),
  refund: /* @__PURE__ */ text(refundType, "type"),
};

/** What {@link hashOrder} takes. */
export type HashOrderParameters = { order: Order };

/** What {@link hashOrder} returns. */
export type HashOrderReturnType = Hex;

/** What {@link hashOrder} throws. */
export type HashOrderErrorType = InvalidParameterError;

/**
 * The `orderId`: the EIP-712 `hashStruct` of an order, without a domain.
 *
 * Encoded here rather than by a general encoder, which finds the types anew for each order: an emulator hashes one for
 * each quote.
 *
 * @param parameters The order.
 * @returns 32 bytes; what the deposit contract takes as `id`.
 * @throws {InvalidParameterError} When a member does not fit its type, by its place in the order.
 *
 * @example
 * import { hashOrder, type Order } from "waybill";
 *
 * declare const order: Order;
 * const orderId = hashOrder({ order });
 */
export function hashOrder({ order }: HashOrderParameters): HashOrderReturnType {
  return struct(typeHashes.order, order, "order", () => [
    text(order.version, "order.version"),
    text(order.solverChainId, "order.solverChainId"),
    pad(readAddress(order.solver, "order.solver")),
    uint256(order.salt, "order.salt"),
    list(order.inputs, "order.inputs", hashInput),
    hashOutput(order.output, "order.output"),
    list(order.fees, "order.fees", hashFee),
  ]);
}

function hashInput(input: OrderInput, path: string): Hex {
  return struct(typeHashes.input, input, path, () => [
    hashPayment(input.payment, `${path}.payment`),
    list(input.refunds, `${path}.refunds`, hashRefund),
  ]);
}

function hashPayment(payment: OrderInput["payment"], path: string): Hex {
  return struct(typeHashes.payment, payment, path, () => [
    text(payment.chainId, `${path}.chainId`),
    bytes(payment.currency, `${path}.currency`),
    uint256(payment.amount, `${path}.amount`),
    uint256(payment.weight, `${path}.weight`),
  ]);
}

function hashRefund(refund: OrderInput["refunds"][number], path: string): Hex {
  return struct(typeHashes.refund, refund, path, () => [
    text(refund.chainId, `${path}.chainId`),
    bytes(refund.recipient, `${path}.recipient`),
    bytes(refund.currency, `${path}.currency`),
    uint256(refund.minimumAmount, `${path}.minimumAmount`),
    uint32(refund.deadline, `${path}.deadline`),
    bytes(refund.extraData, `${path}.extraData`),
  ]);
}

function hashOutput(output: OrderOutput, path: string): Hex {
  return struct(typeHashes.output, output, path, () => [
    text(output.chainId, `${path}.chainId`),
    list(output.payments, `${path}.payments`, hashOutputPayment),
    uint32(output.deadline, `${path}.deadline`),
    list(output.calls, `${path}.calls`, bytes),
    bytes(output.extraData, `${path}.extraData`),
  ]);
}

function hashOutputPayment(payment: OrderOutput["payments"][number], path: string): Hex {
  return struct(typeHashes.outputPayment, payment, path, () => [
    bytes(payment.recipient, `${path}.recipient`),
    bytes(payment.currency, `${path}.currency`),
    uint256(payment.minimumAmount, `${path}.minimumAmount`),
    uint256(payment.expectedAmount, `${path}.expectedAmount`),
  ]);
}

function hashFee(fee: OrderFee, path: string): Hex {
  return struct(typeHashes.fee, fee, path, () => [
    text(fee.recipientChainId, `${path}.recipientChainId`),
    bytes(fee.recipient, `${path}.recipient`),
    text(fee.currencyChainId, `${path}.currencyChainId`),
    bytes(fee.currency, `${path}.currency`),
    uint256(fee.amount, `${path}.amount`),
  ]);
}

/** The words are read once it is known that there is something to read them from. */
function struct(typeHash: Hex, value: unknown, path: string, words: () => readonly Hex[]): Hex {
  readObject(value, path);
  return keccak256(concatHex([typeHash, ...words()]));
}

function list<Item>(items: readonly Item[], path: string, hash: (item: Item, path: string) => Hex): Hex {
  const hashes = readList(items, path, (item, place) => hash(item as Item, place));
  return hashes.length === 0 ? valueHash("0x") : keccak256(concatHex(hashes));
}

function text(value: string, path: string): Hex {
  return valueHash(stringToHex(readText(value, path)));
}

function bytes(value: Hex, path: string): Hex {
  return valueHash(readHex(value, path));
}

/** Chains, currencies and contracts are the same in order after order, and most of what there is to hash. */
function valueHash(value: Hex): Hex {
  if (value.length > longestKept) return keccak256(value);
  const known = kept.get(value);
  if (known !== undefined) return known;
  const hash = keccak256(value);
  // All at once is cheaper than in turns, and what is used often is soon there again.
  if (kept.size >= mostKept) kept.clear();
  kept.set(value, hash);
  return hash;
}

function uint256(value: bigint, path: string): Hex {
  return numberToHex(readUint256(value, path), { size: 32 });
}

function uint32(value: number, path: string): Hex {
  return numberToHex(readUint32(value, path), { size: 32 });
}
