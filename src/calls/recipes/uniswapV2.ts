import { type Address, encodeFunctionData, parseAbi, zeroAddress } from "viem";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readAccount } from "../../internal/readAddress.ts";
import { readList } from "../../internal/readParts.ts";
import { readUint256 } from "../../internal/readUint256.ts";
import type { Call } from "../Call.ts";
import { balanceOf } from "../liveBalance.ts";
import { type ProxyStepReturnType, proxyStep } from "../proxyStep.ts";
import { spendNative } from "./spendNative.ts";

/** The functions of Uniswap's `UniswapV2Router02` that swap an exact input. */
export const uniswapV2RouterAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)",
]);

/** Parameters of every swap on Uniswap v2. */
export type UniswapV2SwapParameters = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** Uniswap v2's own router on the destination chain (`UniswapV2Router02`), or a fork's with the same functions. */
  swapRouter: Address;
  /** Tokens from the input to the output. Each pair of neighbours needs a pool. */
  path: readonly Address[];
  /** Receives the output and the rest of the input. */
  recipient: Address;
  /** Minimum output, in its smallest unit; at least one. The swap router and the proxy both enforce it. */
  minimumOutput: bigint;
  /** Last valid time of the swap, in unix seconds. */
  deadline: bigint;
  /** Minimum that must arrive, in its smallest unit. Default: any non-zero amount. */
  minimumReceived?: bigint | undefined;
  /**
   * The proxy's executor, if the pool must pay it instead of the recipient. The executor forwards the output, which
   * costs one more transfer. Default: the pool pays the recipient.
   */
  executor?: Address | undefined;
};

/** Parses the parameters of a swap. Adds both ends of the path, and the pool's payee. */
function readUniswapV2Swap(parameters: UniswapV2SwapParameters) {
  const swapRouter = readAccount(parameters.swapRouter, "swapRouter");
  const recipient = readAccount(parameters.recipient, "recipient");
  const deadline = readUint256(parameters.deadline, "deadline");
  const minimumOutput = readUint256(parameters.minimumOutput, "minimumOutput");
  if (minimumOutput === 0n) {
    // A block builder can take everything above the minimum.
    throw new InvalidParameterError({
      parameter: "minimumOutput",
      reason: "without a minimum, a block builder can take the whole output",
    });
  }
  const path = readList(parameters.path, "path", readAccount);
  const [sold] = path;
  const bought = path.at(-1);
  if (sold === undefined || bought === undefined || path.length < 2) {
    throw new InvalidParameterError({ parameter: "path", reason: "it needs two tokens" });
  }
  const seen = new Set(path.map((token) => token.toLowerCase()));
  if (seen.size !== path.length) {
    throw new InvalidParameterError({ parameter: "path", reason: "it names a token twice" });
  }
  const to = parameters.executor === undefined ? recipient : readAccount(parameters.executor, "executor");
  return { bought, deadline, minimumOutput, path, recipient, sold, swapRouter, to };
}

export type SwapOnUniswapV2Parameters = UniswapV2SwapParameters;

export type SwapOnUniswapV2ReturnType = ProxyStepReturnType;

/**
 * Composes calls that swap the whole arrived amount of a token for another, on Uniswap v2. The swap router enforces the
 * minimum on the pools' output, and the proxy on the recipient's gain. The two differ for fee-on-transfer tokens.
 *
 * @returns Four calls. Keep them together and in order.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { swapOnUniswapV2 } from "waybill";
 *
 * const calls = swapOnUniswapV2({
 *   deadline: 1_800_000_000n,
 *   minimumOutput: 990_000n,
 *   path: ["0x5FbDB2315678afecb367f032d93F642f64180aa3", "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9"],
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   swapRouter: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 * });
 */
export function swapOnUniswapV2(parameters: SwapOnUniswapV2Parameters): SwapOnUniswapV2ReturnType {
  return spendOnSwap(parameters, "swapExactTokensForTokens");
}

/** The last token of `path` is the swap router's wrapped native currency; the minimum is in wei. */
export type SwapToNativeOnUniswapV2Parameters = UniswapV2SwapParameters;

export type SwapToNativeOnUniswapV2ReturnType = ProxyStepReturnType;

/**
 * Composes calls that swap the whole arrived amount of a token for native currency, on Uniswap v2.
 *
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
  return spendOnSwap(parameters, "swapExactTokensForETH");
}

function spendOnSwap(
  parameters: UniswapV2SwapParameters,
  functionName: "swapExactTokensForETH" | "swapExactTokensForTokens",
): ProxyStepReturnType {
  const { bought, deadline, minimumOutput, path, recipient, sold, swapRouter, to } =
    readUniswapV2Swap(parameters);
  const token = functionName === "swapExactTokensForETH" ? zeroAddress : bought;
  return proxyStep({
    abi: uniswapV2RouterAbi,
    address: swapRouter,
    args: [balanceOf(sold), minimumOutput, path, to, deadline],
    functionName,
    minimumReceived: parameters.minimumReceived,
    outputs: [{ minimum: minimumOutput, recipient, token }],
    proxy: parameters.proxy,
    recipient,
    token: sold,
  });
}

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
