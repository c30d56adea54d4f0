import { type Address, decodeFunctionData, erc20Abi, type Hex, isAddressEqual, type Transaction } from "viem";
import { replaceCalls } from "../calls/verify/routedCalls.ts";
import type { EvmTransactionData } from "../schema/quote/step.ts";

/** Converts a step's transaction to a wallet call. */
export function callOf({ data = "0x", to, value = 0 }: EvmTransactionData) {
  return { data, to, value: BigInt(value) };
}

/**
 * Whether a transaction matches an item. Wallets may append a tag to the calldata. Calls of the trusted guard do not count:
 * a run whose items are all sent proves nothing anew, so its steps lack them.
 */
export function isSameCall(
  { outputGuard }: { readonly outputGuard?: Address | undefined },
  { input, to, value }: Pick<Transaction, "input" | "to" | "value">,
  item: { readonly data: EvmTransactionData },
): boolean {
  const call = callOf(item.data);
  const guard = outputGuard?.toLowerCase();
  const withoutGuard = (data: Hex) =>
    replaceCalls(data, (calls) => calls.filter(({ target }) => target.toLowerCase() !== guard)) ?? data;
  const [given, data] = [withoutGuard(input).toLowerCase(), withoutGuard(call.data).toLowerCase()];
  const isSameData = data === "0x" ? given === data : given.startsWith(data);
  return isSameData && value === call.value && to !== null && isAddressEqual(to, call.to);
}

/** An ERC-20 approval decoded from calldata. */
export type Approval = { amount: bigint; spender: Address };

/** Decodes an approval; `undefined` for other calldata, and for a call with a value, which pays. */
export function readApproval(call: Partial<EvmTransactionData> = {}): Approval | undefined {
  try {
    const { args, functionName } = decodeFunctionData({ abi: erc20Abi, data: call.data ?? "0x" });
    if (functionName !== "approve" || BigInt(call.value ?? 0) > 0n) return undefined;
    const [spender, amount] = args;
    return { amount, spender };
  } catch {
    return undefined;
  }
}
