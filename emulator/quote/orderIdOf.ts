import { bytesToHex, type Hex, hexToBytes, keccak256, stringToBytes } from "viem";
import type { Order } from "../../src/records/Order.ts";

/**
 * The id of an order that was made here, the same as `hashOrder` gives, in a fraction of the time: quotes have to be made by
 * the thousand. The types are hashed once, and so is what orders share: names of chains, currencies, contracts, accounts.
 */
export function orderIdOf({ fees, inputs, output, salt, solver, solverChainId, version }: Order): Hex {
  const hash = struct(orderType, [
    text(version),
    text(solverChainId),
    hexToBytes(solver),
    salt,
    list(inputs.map(hashInput)),
    hashOutput(output),
    list(fees.map(hashFee)),
  ]);
  return bytesToHex(hash);
}

const inputPayment = "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)";
const inputRefund =
  "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)";
const input = "Input(InputPayment payment,InputRefund[] refunds)";
const outputPayment =
  "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)";
const output =
  "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)";
const fee =
  "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)";
const order =
  "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)";
// Behind a type stand those that it is made of, in the order of their names (EIP-712).
const orderType = typeHash(order, fee, input, inputPayment, inputRefund, output, outputPayment);
const inputType = typeHash(input, inputPayment, inputRefund);
const inputPaymentType = typeHash(inputPayment);
const inputRefundType = typeHash(inputRefund);
const outputType = typeHash(output, outputPayment);
const outputPaymentType = typeHash(outputPayment);
const feeType = typeHash(fee);

function hashInput({ payment, refunds }: Order["inputs"][number]): Uint8Array {
  const hashedPayment = struct(inputPaymentType, [
    text(payment.chainId),
    shared(payment.currency),
    payment.amount,
    payment.weight,
  ]);
  const hashedRefunds = refunds.map(({ chainId, currency, deadline, extraData, minimumAmount, recipient }) =>
    struct(inputRefundType, [
      text(chainId),
      shared(recipient),
      shared(currency),
      minimumAmount,
      BigInt(deadline),
      shared(extraData),
    ]),
  );
  return struct(inputType, [hashedPayment, list(hashedRefunds)]);
}

function hashOutput({ calls, chainId, deadline, extraData, payments }: Order["output"]): Uint8Array {
  const hashedPayments = payments.map(({ currency, expectedAmount, minimumAmount, recipient }) =>
    struct(outputPaymentType, [shared(recipient), shared(currency), minimumAmount, expectedAmount]),
  );
  return struct(outputType, [
    text(chainId),
    list(hashedPayments),
    BigInt(deadline),
    list(calls.map(bytes)),
    shared(extraData),
  ]);
}

function hashFee({ amount, currency, currencyChainId, recipient, recipientChainId }: Order["fees"][number]) {
  return struct(feeType, [
    text(recipientChainId),
    shared(recipient),
    text(currencyChainId),
    shared(currency),
    amount,
  ]);
}

/** The hash of a type with words. */
function struct(type: Uint8Array, words: readonly Word[]): Uint8Array {
  return hashOf([type, ...words]);
}

function list(words: readonly Uint8Array[]): Uint8Array {
  return words.length === 0 ? emptyHash : hashOf(words);
}

/** A word that is a number, or one that is there already. */
type Word = Uint8Array | bigint;

/** Hashes words that stand one behind the other. */
function hashOf(words: readonly Word[]): Uint8Array {
  const encoded = new Uint8Array(words.length * wordBytes);
  for (const [index, word] of words.entries()) {
    const start = index * wordBytes;
    if (typeof word === "bigint") writeNumber(encoded, start, word);
    else encoded.set(word, start + wordBytes - word.length);
  }
  return keccak256(encoded, "bytes");
}

function writeNumber(target: Uint8Array, start: number, value: bigint): void {
  let rest = value;
  for (let index = start + wordBytes - 1; rest > 0n; index--) {
    target[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
}

function bytes(value: Hex): Uint8Array {
  return keccak256(hexToBytes(value), "bytes");
}

function typeHash(...types: readonly string[]): Uint8Array {
  return keccak256(stringToBytes(types.join("")), "bytes");
}

const wordBytes = 32;
const emptyHash = keccak256(new Uint8Array(), "bytes");
/** So many hashes of shared values are kept. */
const maxKept = 1_000;
const kept = new Map<string, Uint8Array>();

function shared(value: Hex): Uint8Array {
  return remembered(value, () => bytes(value));
}

function text(value: string): Uint8Array {
  return remembered(`text ${value}`, () => keccak256(stringToBytes(value), "bytes"));
}

function remembered(key: string, hash: () => Uint8Array): Uint8Array {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const fresh = hash();
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, fresh);
  return fresh;
}
