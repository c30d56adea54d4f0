import { type Address, encodeFunctionData, type Hex, keccak256, parseAbi } from "viem";
import type { Quote } from "../../schema/quote/quote.ts";
import type { EvmTransactionData } from "../../schema/quote/step.ts";
import type { OutputClaim, RoutedCall } from "./OutputClaim.ts";
import { replaceCalls } from "./routedData.ts";

const guardAbi = /* @__PURE__ */ parseAbi([
  "function noteBalance(bytes32 id, address currency, address account)",
  "function requireGain(bytes32 id, address currency, address account, uint256 gain)",
  "function requireBalance(address currency, address account, uint256 minimum)",
]);
/** Maximum gas of the guard's calls, for two tokens with costly `balanceOf`. */
const guardGas = 150_000n;

/**
 * Inserts the guard's calls around those of a claim. Deterministic, so that a resumed run finds the transaction of an
 * earlier one.
 */
export function guardOutput(quote: Quote, claim: OutputClaim, guard: Address, maximumGas: bigint): Quote {
  const [, stepIndex, itemIndex] = /^steps\.(\d+)\.items\.(\d+)\./.exec(claim.path) ?? [];
  const steps = quote.steps.map((step, index) => {
    if (index !== Number(stepIndex) || step.kind !== "transaction") return step;
    const items = step.items.map((item, at) => {
      if (at !== Number(itemIndex)) return item;
      const { gas, ...data } = item.data as EvmTransactionData;
      const raised = BigInt(gas ?? 0) + guardGas;
      const more = gas === undefined ? {} : { gas: `${raised < maximumGas ? raised : maximumGas}` };
      const unguarded = data.data ?? "0x";
      const guarded = replaceCalls(unguarded, () => guardedCalls(claim, guard, keccak256(unguarded)));
      if (guarded === undefined) throw new Error(`${claim.path} holds no calls`);
      return { ...item, data: { ...data, ...more, data: guarded } };
    });
    return { ...step, items };
  });
  return { ...quote, steps };
}

/** The id hashes the calldata without the guard, so that a balance noted by another batch of the transaction does not count. */
function guardedCalls(
  { account, calls, currency, index, kind, minimum }: OutputClaim,
  guard: Address,
  id: Hex,
): readonly RoutedCall[] {
  const guardCall = (callData: Hex): RoutedCall => ({
    allowFailure: false,
    callData,
    target: guard,
    value: 0n,
  });
  if (kind === "balance") {
    const args = [currency, account, minimum] as const;
    const data = encodeFunctionData({ abi: guardAbi, args, functionName: "requireBalance" });
    return [...calls.slice(0, index), guardCall(data), ...calls.slice(index)];
  }
  const noted = [id, currency, account] as const;
  return [
    ...calls.slice(0, index),
    guardCall(encodeFunctionData({ abi: guardAbi, args: noted, functionName: "noteBalance" })),
    ...calls.slice(index),
    guardCall(encodeFunctionData({ abi: guardAbi, args: [...noted, minimum], functionName: "requireGain" })),
  ];
}
