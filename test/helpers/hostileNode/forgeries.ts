import { type Hex, hexToBigInt, isHex, keccak256, toHex } from "viem";
import { readSent, type Sent, type SignedTransaction } from "./purse.ts";
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

/**
 * Adds transactions of the victim to a block: one at the nonce of its newest payment, with the same effect or another one,
 * or everything that it signed.
 */
export function forgeReplacement(
  scene: Scene,
  block: unknown,
  { kind, sent }: { kind: Extract<Lie, { replacement: unknown }>["replacement"]; sent: readonly Sent[] },
): unknown {
  const { number, transactions } = (block ?? {}) as { number?: Hex; transactions?: readonly unknown[] };
  const last = sent.findLast(({ isForeign }) => isForeign !== true);
  if (last === undefined || transactions === undefined || typeof transactions[0] === "string") return block;
  const { data = "0x", nonce, to, value } = readSent(last.raw);
  const call = kind === "same call" ? { data, to, value } : { data: "0x", to: scene.victim.address };
  const forged =
    kind === "signed"
      ? sent.map(({ hash, raw }) => minedTransaction(scene, { fields: readSent(raw), hash, number }))
      : [
          minedTransaction(scene, {
            fields: { ...call, nonce } as never,
            hash: keccak256(last.hash),
            number,
          }),
        ];
  return { ...(block as object), transactions: [...transactions, ...forged] };
}

/** A transaction of the victim as a node shows it, in a block or pending. */
export function minedTransaction(
  { origin, victim }: Scene,
  { fields, hash, number }: { fields: SignedTransaction; hash: Hex; number?: Hex | undefined },
) {
  const { data = "0x", gas = 21_000n, maxFeePerGas = 1n, maxPriorityFeePerGas = 1n, nonce = 0 } = fields;
  const { r, s, to, value = 0n, yParity } = fields as typeof fields & { r?: Hex; s?: Hex; yParity?: number };
  const signature = yParity === undefined ? {} : { r, s, v: toHex(yParity), yParity: toHex(yParity) };
  return {
    accessList: [],
    blockHash: number === undefined ? null : keccak256(number),
    blockNumber: number ?? null,
    chainId: toHex(origin.id),
    from: victim.address,
    gas: toHex(gas),
    gasPrice: toHex(maxFeePerGas),
    hash,
    input: data,
    maxFeePerGas: toHex(maxFeePerGas),
    maxPriorityFeePerGas: toHex(maxPriorityFeePerGas),
    nonce: toHex(nonce),
    to,
    transactionIndex: "0x0",
    type: "0x2",
    value: toHex(value),
    ...signature,
  };
}
