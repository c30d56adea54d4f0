import { type Hex, stringToHex } from "viem";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readList, readObject, readText, readUint32 } from "../internal/readParts.ts";
import { readUint256, wireOrderHint } from "../internal/readUint256.ts";
import type { Order, OrderFee, OrderInput, OrderOutput } from "./Order.ts";

/** Keccak-256 of bytes, both in hex digits without a prefix. */
export type Keccak256 = (digits: string) => Word;

/** 32 bytes as 64 hex digits, without a prefix. */
type Word = string;

/** A hash function with the hashes that it has given already. */
type Hashing = {
  readonly keccak256: Keccak256;
  readonly types: Map<string, Word>;
  readonly texts: Map<string, Word>;
  readonly bytes: Map<string, Word>;
};

/** Hashes one part of an order; errors name it by its place. */
type HashPart<Part> = (part: Part, path: string, hashing: Hashing) => Word;

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

/** Longest value whose hash is kept, in characters, so 64 bytes: chains, currencies, contracts and what is empty are shorter. */
const longestKept = 2 + 2 * 64;
const mostKept = 1_024;

/**
 * Makes a function that gives the `orderId` of an order: the EIP-712 `hashStruct` without a domain. It throws
 * `InvalidParameterError` when a member does not fit its type.
 *
 * Encoded here rather than by a general encoder, which finds the types anew for each order: an emulator hashes one for
 * each quote.
 *
 * @param keccak256 The hash function: nearly all of the time goes into it, and some platforms have a faster one.
 *
 * @example
 * import { keccak256 } from "viem";
 *
 * const hash = orderHasher((digits) => keccak256(`0x${digits}`).slice(2));
 */
export function orderHasher(keccak256: Keccak256): (order: Order) => Hex {
  const hashing: Hashing = { bytes: new Map(), keccak256, texts: new Map(), types: new Map() };
  return (order) => `0x${hashOrder(order, "order", hashing)}`;
}

const hashOrder: HashPart<Order> = (order, path, hashing) =>
  struct(orderType, order, path, hashing, () => [
    text(order.version, `${path}.version`, hashing),
    text(order.solverChainId, `${path}.solverChainId`, hashing),
    readAddress(order.solver, `${path}.solver`).slice(2).padStart(64, "0"),
    uint256(order.salt, `${path}.salt`),
    list(order.inputs, `${path}.inputs`, hashing, hashInput),
    hashOutput(order.output, `${path}.output`, hashing),
    list(order.fees, `${path}.fees`, hashing, hashFee),
  ]);

const hashInput: HashPart<OrderInput> = (input, path, hashing) =>
  struct(inputType, input, path, hashing, () => [
    hashPayment(input.payment, `${path}.payment`, hashing),
    list(input.refunds, `${path}.refunds`, hashing, hashRefund),
  ]);

const hashPayment: HashPart<OrderInput["payment"]> = (payment, path, hashing) =>
  struct(paymentType, payment, path, hashing, () => [
    text(payment.chainId, `${path}.chainId`, hashing),
    bytes(payment.currency, `${path}.currency`, hashing),
    uint256(payment.amount, `${path}.amount`),
    uint256(payment.weight, `${path}.weight`),
  ]);

const hashRefund: HashPart<OrderInput["refunds"][number]> = (refund, path, hashing) =>
  struct(refundType, refund, path, hashing, () => [
    text(refund.chainId, `${path}.chainId`, hashing),
    bytes(refund.recipient, `${path}.recipient`, hashing),
    bytes(refund.currency, `${path}.currency`, hashing),
    uint256(refund.minimumAmount, `${path}.minimumAmount`),
    uint32(refund.deadline, `${path}.deadline`),
    bytes(refund.extraData, `${path}.extraData`, hashing),
  ]);

const hashOutput: HashPart<OrderOutput> = (output, path, hashing) =>
  struct(outputType, output, path, hashing, () => [
    text(output.chainId, `${path}.chainId`, hashing),
    list(output.payments, `${path}.payments`, hashing, hashOutputPayment),
    uint32(output.deadline, `${path}.deadline`),
    list(output.calls, `${path}.calls`, hashing, bytes),
    bytes(output.extraData, `${path}.extraData`, hashing),
  ]);

const hashOutputPayment: HashPart<OrderOutput["payments"][number]> = (payment, path, hashing) =>
  struct(outputPaymentType, payment, path, hashing, () => [
    bytes(payment.recipient, `${path}.recipient`, hashing),
    bytes(payment.currency, `${path}.currency`, hashing),
    uint256(payment.minimumAmount, `${path}.minimumAmount`),
    uint256(payment.expectedAmount, `${path}.expectedAmount`),
  ]);

const hashFee: HashPart<OrderFee> = (fee, path, hashing) =>
  struct(feeType, fee, path, hashing, () => [
    text(fee.recipientChainId, `${path}.recipientChainId`, hashing),
    bytes(fee.recipient, `${path}.recipient`, hashing),
    text(fee.currencyChainId, `${path}.currencyChainId`, hashing),
    bytes(fee.currency, `${path}.currency`, hashing),
    uint256(fee.amount, `${path}.amount`),
  ]);

/** The words are read once it is known that there is something to read them from. */
function struct(type: string, value: unknown, path: string, hashing: Hashing, words: () => Word[]): Word {
  readObject(value, path);
  return hashing.keccak256(typeHash(type, hashing) + words().join(""));
}

function list<Item>(items: readonly Item[], path: string, hashing: Hashing, hash: HashPart<Item>): Word {
  const hashes = readList(items, path, (item, place) => hash(item as Item, place, hashing));
  return hashes.length === 0 ? bytesHash("0x", hashing) : hashing.keccak256(hashes.join(""));
}

function text(value: string, path: string, hashing: Hashing): Word {
  const read = readText(value, path);
  return kept(read, hashing.texts, () => textHash(read, hashing));
}

function bytes(value: Hex, path: string, hashing: Hashing): Word {
  return bytesHash(readHex(value, path), hashing);
}

function uint256(value: bigint, path: string): Word {
  return readUint256(value, path, wireOrderHint).toString(16).padStart(64, "0");
}

function uint32(value: number, path: string): Word {
  return readUint32(value, path).toString(16).padStart(64, "0");
}

function typeHash(type: string, hashing: Hashing): Word {
  const known = hashing.types.get(type);
  if (known !== undefined) return known;
  const hash = textHash(type, hashing);
  hashing.types.set(type, hash);
  return hash;
}

function textHash(value: string, { keccak256 }: Hashing): Word {
  return keccak256(stringToHex(value).slice(2));
}

function bytesHash(value: Hex, hashing: Hashing): Word {
  return kept(value, hashing.bytes, () => hashing.keccak256(value.slice(2)));
}

/** Chains, currencies and contracts are the same in order after order, and most of what there is to hash. */
function kept(value: string, hashes: Map<string, Word>, hash: () => Word): Word {
  if (value.length > longestKept) return hash();
  const known = hashes.get(value);
  if (known !== undefined) return known;
  const hashed = hash();
  // All at once is cheaper than in turns, and what is used often is soon there again.
  if (hashes.size >= mostKept) hashes.clear();
  hashes.set(value, hashed);
  return hashed;
}
