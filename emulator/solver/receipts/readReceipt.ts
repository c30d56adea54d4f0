import type { Address, Hex } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import { quantitySchema, type Rpc } from "../../chains/rpc.ts";
import { ChainMovedError } from "./readBlocks.ts";

const receiptSchema = z
  .object({
    effectiveGasPrice: quantitySchema.nullish(),
    gasUsed: quantitySchema,
    logs: z.array(z.object({ address: evmAddressSchema, data: hexSchema, topics: z.array(bytes32Schema) })),
    status: quantitySchema,
  })
  .nullable();

/** An event of a mined transaction. */
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
