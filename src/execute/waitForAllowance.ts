import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  erc20Abi,
} from "viem";
import { readContract } from "viem/actions";
import { poll } from "./poll.ts";
import type { Run } from "./Run.ts";
import type { Approval } from "./stepCall.ts";

/** Unlimited allowance of tokens that store 96 bits. */
const maxUint96 = 2n ** 96n - 1n;

/**
 * Waits until reads show a mined approval. Load-balanced nodes lag behind a receipt, and the next step would revert on
 * a lagging one.
 *
 * An approval of zero is visible at an allowance of zero. Returns at once for a token without `allowance`: `approve` of
 * an NFT has the same selector.
 *
 * @throws TimeoutError; AbortedError.
 */
export async function waitForAllowance(
  run: Run,
  { approval, token }: { approval: Approval; token: Address },
): Promise<void> {
  const { amount, spender } = approval;
  const needed = amount > maxUint96 ? maxUint96 : amount;
  const args = [run.wallet.address, spender] as const;
  await poll(run, {
    operation: `waiting until the allowance of ${spender} on ${token} is visible`,
    read: async () => {
      try {
        const address = token;
        const allowance = await readContract(run.reader, {
          abi: erc20Abi,
          address,
          args,
          functionName: "allowance",
        });
        return (amount === 0n ? allowance === 0n : allowance >= needed) ? true : undefined;
      } catch (error) {
        if (hasNoAllowances(error)) return true;
        throw error;
      }
    },
  });
}

function hasNoAllowances(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const cause = error.walk(
    (inner) =>
      inner instanceof ContractFunctionRevertedError || inner instanceof ContractFunctionZeroDataError,
  );
  return cause !== null;
}
