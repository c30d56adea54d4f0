import { type Address, type Hex, toHex } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import { quantitySchema, type Rpc } from "../../chains/rpc.ts";
import { type Block, ChainMovedError } from "./readBlocks.ts";

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
