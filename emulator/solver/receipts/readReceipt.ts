import { type Address, type Hex, toHex } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import { quantitySchema, type Rpc } from "../../chains/rpc.ts";
import { type Block, ChainMovedError } from "./readBlocks.ts";

const receiptSchema = z
  .object({
    effectiveGasPrice: quantitySchema.nullish(),
    gasUsed: quantitySchema,
    logs: z.array(z.object({ address: evmAddressSchema, data: hexSchema, topics: z.array(bytes32Schema) })),
    status: quantitySchema,
  })
  .nullable();

export type MinedLog = { readonly address: Address; readonly data: Hex; readonly topics: readonly Hex[] };

/** Status of a mined transaction, its gas, its fee in wei, and its events. */
export type Receipt = {
  readonly isSuccessful: boolean;
  readonly fee: bigint;
  readonly gasUsed: bigint;
  readonly logs: readonly MinedLog[];
};

/** Reads the receipt of a transaction that was seen in a block. */
export async function readReceipt(rpc: Rpc, hash: Hex): Promise<Receipt> {
  const receipt = receiptSchema.parse(await rpc("eth_getTransactionReceipt", [hash]));
  if (receipt === null) throw new ChainMovedError(`transaction ${hash} has no receipt`);
  return {
    fee: receipt.gasUsed * (receipt.effectiveGasPrice ?? 0n),
    gasUsed: receipt.gasUsed,
    isSuccessful: receipt.status === 1n,
    logs: receipt.logs,
  };
}

const logsSchema = z.array(
  z.object({
    address: evmAddressSchema,
    blockHash: bytes32Schema,
    data: hexSchema,
    logIndex: quantitySchema,
    topics: z.array(bytes32Schema),
    transactionHash: bytes32Schema,
  }),
);

export type Log = z.output<typeof logsSchema>[number];

/** An event's topics in the type that decoders take. */
export type Topics = [] | [Hex, ...Hex[]];

/** Reads the logs of some contracts in some blocks, in order, by transaction. */
export async function readLogs(
  rpc: Rpc,
  blocks: readonly Block[],
  addresses: readonly Address[],
): Promise<ReadonlyMap<Hex, readonly Log[]>> {
  const byTransaction = new Map<Hex, Log[]>();
  const [first] = blocks;
  const last = blocks.at(-1);
  // Blocks without transactions have no logs.
  if (
    first === undefined ||
    last === undefined ||
    blocks.every(({ transactions }) => transactions.length === 0)
  ) {
    return byTransaction;
  }
  const range = { fromBlock: toHex(first.number), toBlock: toHex(last.number) };
  const logs = logsSchema.parse(await rpc("eth_getLogs", [{ ...range, address: addresses }]));
  const hashes = new Set(blocks.map(({ hash }) => hash));
  for (const log of logs) {
    if (!hashes.has(log.blockHash)) throw new ChainMovedError(`a log of block ${log.blockHash}`);
    const others = byTransaction.get(log.transactionHash);
    if (others === undefined) byTransaction.set(log.transactionHash, [log]);
    else others.push(log);
  }
  for (const each of byTransaction.values()) each.sort((a, b) => (a.logIndex < b.logIndex ? -1 : 1));
  return byTransaction;
}
