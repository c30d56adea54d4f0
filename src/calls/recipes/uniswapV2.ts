import { type Address, parseAbi } from "viem";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readAccount } from "../../internal/readAddress.ts";
import { readList } from "../../internal/readParts.ts";
import { readUint256 } from "../../internal/readUint256.ts";

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

export type UniswapV2Swap = {
  readonly swapRouter: Address;
  readonly path: readonly Address[];
  readonly sold: Address;
  readonly bought: Address;
  readonly recipient: Address;
  readonly to: Address;
  readonly minimumOutput: bigint;
  readonly deadline: bigint;
};

/**
 * Parses the parameters of a Uniswap v2 swap.
 *
 * @returns The parsed parameters, with both ends of the path and the pool's payee.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 */
export function readUniswapV2Swap(parameters: UniswapV2SwapParameters): UniswapV2Swap {
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
