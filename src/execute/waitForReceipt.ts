import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { getTransactionReceipt } from "viem/actions";
import { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
import { poll } from "./poll.ts";
import type { Run } from "./Run.ts";

/**
 * Waits until a step's transaction is mined.
 *
 * @throws TransactionRevertedError when it reverted; TimeoutError; AbortedError.
 *
 * @example
 * const receipt = await waitForReceipt(run, { hash, stepId: "deposit" });
 */
export async function waitForReceipt(
  run: Run,
  { hash, stepId }: { hash: Hex; stepId: string },
): Promise<TransactionReceipt> {
  const receipt = await poll(run, {
    operation: `waiting for transaction ${hash} of step ${stepId}`,
    read: async () => {
      try {
        return await getTransactionReceipt(run.reader, { hash });
      } catch (error) {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      }
    },
  });
  if (receipt.status === "reverted") {
    const { blockNumber } = receipt;
    throw new TransactionRevertedError({ blockNumber, chainId: run.originChainId, hash, stepId });
  }
  return receipt;
}
