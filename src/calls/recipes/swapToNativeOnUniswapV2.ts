import { zeroAddress } from "viem";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";
import { readUniswapV2Swap, type UniswapV2SwapParameters, uniswapV2RouterAbi } from "./uniswapV2.ts";

/** The last token of `path` is the swap router's wrapped native currency; the minimum is in wei. */
export type SwapToNativeOnUniswapV2Parameters = UniswapV2SwapParameters;

export type SwapToNativeOnUniswapV2ReturnType = ProxyStepReturnType;

/**
 * Composes calls that swap the whole arrived amount of a token for native currency, on Uniswap v2.
 *
 * @param parameters Proxy, swap router, path that ends with the wrapped native currency, recipient, minimum, deadline.
 * @returns Four calls. Keep them together and in order.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { swapToNativeOnUniswapV2 } from "waybill";
 *
 * const calls = swapToNativeOnUniswapV2({
 *   deadline: 1_800_000_000n,
 *   minimumOutput: 10n ** 16n,
 *   path: ["0x5FbDB2315678afecb367f032d93F642f64180aa3", "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9"],
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   swapRouter: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 * });
 */
export function swapToNativeOnUniswapV2(
  parameters: SwapToNativeOnUniswapV2Parameters,
): SwapToNativeOnUniswapV2ReturnType {
  const { deadline, minimumOutput, path, recipient, sold, swapRouter, to } = readUniswapV2Swap(parameters);
  return proxyStep({
    abi: uniswapV2RouterAbi,
    address: swapRouter,
    args: [balanceOf(sold), minimumOutput, path, to, deadline],
    functionName: "swapExactTokensForETH",
    minimumReceived: parameters.minimumReceived,
    outputs: [{ minimum: minimumOutput, recipient, token: zeroAddress }],
    proxy: parameters.proxy,
    recipient,
    token: sold,
  });
}
