import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  decodeFunctionData,
  erc20Abi,
  type Hex,
} from "viem";
import { readContract } from "viem/actions";
import { poll } from "./poll.ts";
import type { Run } from "./Run.ts";

/** Unlimited allowance of tokens that store 96 bits. */
const maxUint96 = 2n ** 96n - 1n;

/** An ERC-20 approval decoded from calldata. */
export type Approval = { amount: bigint; spender: Address };

/**
 * Decodes an approval from calldata.
 *
 * @returns `undefined` for other calldata.
 *
 * @example
 * readApproval("0x095ea7b3"); // undefined: the arguments are missing
 */
export function readApproval(data: Hex | undefined): Approval | undefined {
  if (data === undefined || !data.toLowerCase().startsWith("0x095ea7b3")) return undefined;
  try {
    const call = decodeFunctionData({ abi: erc20Abi, data });
    if (call.functionName !== "approve") return undefined;
    const [spender, amount] = call.args;
    return { amount, spender };
  } catch {
    return undefined;
  }
}

/**
 * Waits until reads show a mined approval. Load-balanced nodes lag behind a receipt, and the next step would revert on
 * a lagging one.
 *
 * An approval of zero is visible at an allowance of zero. Returns at once for a token without `allowance`: `approve` of
 * an NFT has the same selector.
 *
 * @throws TimeoutError; AbortedError.
 *
 * @example
 * await waitForAllowance(run, { approval: { amount: 5n, spender }, token });
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
