import type { Hex } from "viem";
import * as z from "zod";
import { quantitySchema, type Rpc } from "../chains/rpc.ts";
import { ChainMovedError } from "./readBlocks.ts";

const receiptSchema = z
  .object({ effectiveGasPrice: quantitySchema.nullish(), gasUsed: quantitySchema, status: quantitySchema })
  .nullable();

/** How a mined transaction ended, and what it cost its sender in wei. */
export type Receipt = { readonly isSuccessful: boolean; readonly fee: bigint };

/**
 * Reads the receipt of a transaction that was seen in a block.
 *
 * @throws ChainMovedError when the chain has none any more.
 */
export async function readReceipt(rpc: Rpc, hash: Hex): Promise<Receipt> {
  const receipt = receiptSchema.parse(await rpc("eth_getTransactionReceipt", [hash]));
  if (receipt === null) throw new ChainMovedError(`transaction ${hash} has no receipt`);
  return {
    fee: receipt.gasUsed * (receipt.effectiveGasPrice ?? 0n),
    isSuccessful: receipt.status === 1n,
  };
}
