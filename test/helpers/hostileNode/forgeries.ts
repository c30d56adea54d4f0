import { type Hex, hexToBigInt, isHex, keccak256, toHex } from "viem";
import { readSent } from "./purse.ts";
import type { Lie } from "./Script.ts";
import type { Scene } from "./scene.ts";

/** Adds to a quantity; other values stay. */
export function shiftQuantity(value: unknown, by: number): unknown {
  if (!isHex(value)) return value;
  const sum = hexToBigInt(value) + BigInt(by);
  return toHex(sum < 0n ? 0n : sum);
}

/** Makes up a receipt of a transaction of the victim. */
export function forgeReceipt(
  { origin, victim }: Scene,
  { blocks, isOther, status }: Extract<Lie, { receipt: unknown }>["receipt"],
  hash: Hex,
  head: number,
) {
  return {
    blockHash: keccak256(toHex(head)),
    blockNumber: toHex(Math.max(head + blocks, 0)),
    chainId: toHex(origin.id),
    contractAddress: null,
    cumulativeGasUsed: "0x5208",
    effectiveGasPrice: "0x1",
    from: victim.address,
    gasUsed: "0x5208",
    logs: [],
    logsBloom: toHex(0, { size: 256 }),
    status,
    to: victim.address,
    transactionHash: isOther ? keccak256(hash) : hash,
    transactionIndex: "0x0",
    type: "0x2",
  };
}

/** Adds a transaction of the victim to a block: at the nonce of signed bytes, with the same effect or another one. */
export function forgeReplacement(
  { origin, victim }: Scene,
  block: unknown,
  { call, raw }: { call: "other call" | "same call"; raw: Hex | undefined },
): unknown {
  const { number, transactions } = (block ?? {}) as { number?: Hex; transactions?: readonly unknown[] };
  if (raw === undefined || transactions === undefined || typeof transactions[0] === "string") return block;
  const { data = "0x", nonce = 0, to, value = 0n } = readSent(raw);
  const isSame = call === "same call";
  const forged = {
    blockNumber: number,
    chainId: toHex(origin.id),
    from: victim.address,
    gas: "0x5208",
    gasPrice: "0x1",
    hash: keccak256(keccak256(raw)),
    input: isSame ? data : "0x",
    maxFeePerGas: "0x1",
    maxPriorityFeePerGas: "0x1",
    nonce: toHex(nonce),
    to: isSame ? to : victim.address,
    transactionIndex: "0x0",
    type: "0x2",
    value: isSame ? toHex(value) : "0x0",
  };
  return { ...(block as object), transactions: [...transactions, forged] };
}
