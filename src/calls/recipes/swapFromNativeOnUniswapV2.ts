import { type Address, encodeFunctionData } from "viem";
import type { Call } from "../Call.ts";
import { spendNative } from "./spendNative.ts";
import { readUniswapV2Swap, type UniswapV2SwapParameters, uniswapV2RouterAbi } from "./uniswapV2.ts";

/** The first token of `path` is the swap router's wrapped native currency. */
export type SwapFromNativeOnUniswapV2Parameters = UniswapV2SwapParameters & {
  /** The service's router that executes the calls, of either version. */
  router: Address;
};

export type SwapFromNativeOnUniswapV2ReturnType = readonly [Call];

/**
 * Composes a call that swaps the whole arrived native amount for a token, on Uniswap v2. The router skips the call when
 * it has no native currency.
 *
 * @param parameters Proxy, both routers, path that begins with the wrapped native currency, recipient, minimum,
 * deadline.
 * @returns One call to the service's router.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { swapFromNativeOnUniswapV2 } from "waybill";
 *
 * const calls = swapFromNativeOnUniswapV2({
 *   deadline: 1_800_000_000n,
 *   minimumOutput: 990_000n,
 *   path: ["0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9", "0x5FbDB2315678afecb367f032d93F642f64180aa3"],
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   router: "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
 *   swapRouter: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 * });
 */
export function swapFromNativeOnUniswapV2(
  parameters: SwapFromNativeOnUniswapV2Parameters,
): SwapFromNativeOnUniswapV2ReturnType {
  const { minimumReceived, proxy, router } = parameters;
  const { bought, deadline, minimumOutput, path, recipient, swapRouter, to } = readUniswapV2Swap(parameters);
  return spendNative({
    data: encodeFunctionData({
      abi: uniswapV2RouterAbi,
      args: [minimumOutput, path, to, deadline],
      functionName: "swapExactETHForTokens",
    }),
    minimumReceived,
    output: { minimum: minimumOutput, token: bought },
    proxy,
    recipient,
    router,
    target: swapRouter,
  });
}
