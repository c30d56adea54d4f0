import { type Hex, toHex, zeroHash } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import { quantitySchema, type Rpc } from "../../chains/rpc.ts";

/** Fields read of a block. */
const blockSchema = z.object({
  hash: bytes32Schema,
  number: quantitySchema,
  parentHash: bytes32Schema,
  /** Unix seconds. */
  timestamp: quantitySchema,
  transactions: z.array(
    z.object({
      /** Authorizations of EIP-7702; nodes differ in their form. */
      authorizationList: z.nullish(z.array(z.unknown())),
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
