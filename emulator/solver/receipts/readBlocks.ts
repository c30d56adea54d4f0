import { type Address, type Hex, hexToBigInt, keccak256, toHex, zeroHash } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import { quantitySchema, type Rpc } from "../../chains/rpc.ts";

/** Fields read of a block. */
const blockSchema = z.object({
  hash: bytes32Schema,
  logsBloom: z.nullish(hexSchema),
  number: quantitySchema,
  parentHash: bytes32Schema,
  /** Unix seconds. */
  timestamp: quantitySchema,
  transactions: z.array(
    z.object({
      from: evmAddressSchema,
      hash: bytes32Schema,
      input: hexSchema,
      /** Null when it creates a contract. */
      to: z.nullish(evmAddressSchema),
      /** Wei. */
      value: quantitySchema,
    }),
  ),
});

export type Block = z.output<typeof blockSchema>;
export type BlockTransaction = Block["transactions"][number];

/**
 * Whether a block follows another; `undefined` without a parent hash. Hardhat omits the parent of blocks mined in
 * bulk.
 */
export function saysItFollows({ parentHash }: Pick<Block, "parentHash">, hash: Hex): boolean | undefined {
  return parentHash === zeroHash ? undefined : parentHash === hash;
}

/** A reorg happened during a read, so its parts belong to different chains. The caller must read again. */
export class ChainMovedError extends Error {
  override readonly name = "ChainMovedError";
}

/** Reads the newest block with its transactions. */
export async function readNewestBlock(rpc: Rpc): Promise<Block> {
  return blockSchema.parse(await rpc("eth_getBlockByNumber", ["latest", true]));
}

/** Reads a block with its transactions; `undefined` when the chain has no block of that number. */
export async function readBlock(rpc: Rpc, number: bigint): Promise<Block | undefined> {
  const answer = await rpc("eth_getBlockByNumber", [toHex(number), true]);
  return answer === null ? undefined : blockSchema.parse(answer);
}

/** Reads consecutive blocks, each the parent of the next. */
export async function readBlocks(
  rpc: Rpc,
  fromBlock: bigint,
  toBlock: bigint,
  newest?: Block,
): Promise<readonly Block[]> {
  const numbers = Array.from(
    { length: Number(toBlock - fromBlock) + 1 },
    (_, index) => fromBlock + BigInt(index),
  );
  const blocks = await Promise.all(
    numbers.map((number) => (number === newest?.number ? newest : readBlock(rpc, number))),
  );
  return blocks.map((block, index) => {
    const parent = blocks[index - 1];
    if (block === undefined || (parent !== undefined && saysItFollows(block, parent.hash) === false)) {
      throw new ChainMovedError(`block ${numbers[index]} does not follow the one before it`);
    }
    return block;
  });
}

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

const placeSchema = z.object({ blockNumber: z.nullish(quantitySchema) }).nullable();

/** Reads the block of a transaction; `undefined` unless it is mined. */
export async function readBlockNumber(rpc: Rpc, hash: Hex): Promise<bigint | undefined> {
  return placeSchema.parse(await rpc("eth_getTransactionByHash", [hash]))?.blockNumber ?? undefined;
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

/**
 * Reads the logs of some contracts in some blocks, in order, by transaction.
 *
 * A node that lacks a block, as one of several behind a load balancer, answers a range without that block's logs. A block that may
 * have logs by its header, and has none in the answer, is therefore asked for by its hash, which such a node refuses.
 */
export async function readLogs(
  rpc: Rpc,
  blocks: readonly Block[],
  address: readonly Address[],
): Promise<ReadonlyMap<Hex, readonly Log[]>> {
  const full = blocks.filter(({ transactions }) => transactions.length > 0);
  const [first] = full;
  const last = full.at(-1);
  if (first === undefined || last === undefined) return new Map();
  const range = { fromBlock: toHex(first.number), toBlock: toHex(last.number) };
  const answer = logsSchema.parse(await rpc("eth_getLogs", [{ ...range, address }]));
  const found = Map.groupBy(answer, ({ blockHash }) => blockHash);
  for (const hash of found.keys())
    if (!full.some((block) => block.hash === hash)) throw new ChainMovedError(`a log of block ${hash}`);
  const logs = await Promise.all(
    full.map(async (block) => {
      const own = found.get(block.hash) ?? (mayHaveLogs(block, address) ? await readOwn(block) : []);
      return own.sort((a, b) => (a.logIndex < b.logIndex ? -1 : 1));
    }),
  );
  return Map.groupBy(logs.flat(), ({ transactionHash }) => transactionHash);

  async function readOwn({ hash: blockHash, number }: Block): Promise<Log[]> {
    const read = rpc("eth_getLogs", [{ address, blockHash }]).catch(async (error: unknown) => {
      const now = await readBlock(rpc, number);
      throw now?.hash === blockHash ? error : new ChainMovedError(`block ${blockHash} was replaced`);
    });
    return logsSchema.parse(await read);
  }
}

/** By the header's filter (Ethereum Yellow Paper, 4.3.1), which has no false negatives. */
function mayHaveLogs({ logsBloom }: Block, addresses: readonly Address[]): boolean {
  if (logsBloom == null) return true;
  const filter = hexToBigInt(logsBloom);
  return addresses.some((address) => {
    const hash = Buffer.from(keccak256(address, "bytes"));
    return [0, 2, 4].every((at) => (filter >> BigInt(hash.readUInt16BE(at) & 2_047)) & 1n);
  });
}
