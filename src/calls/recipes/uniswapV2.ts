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
  /** Tokens from the one that is sold to the one that is bought, each pair of neighbours with a pool. */
  path: readonly Address[];
  /** Who gets what is bought, and what is left of what is sold. */
  recipient: Address;
  /** The least that must be bought, in its smallest unit; at least one. The swap router and the proxy both hold it. */
  minimumOutput: bigint;
  /** The last second at which the swap may be made, since 1970. */
  deadline: bigint;
  /** The least that must have arrived, in its smallest unit; defaults to anything but nothing. */
  minimumReceived?: bigint | undefined;
  /**
   * The proxy's executor, when the pool is to pay it rather than the recipient, from where everything is swept on. It costs
   * a transfer more. Defaults to having the recipient paid directly.
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
 * Reads the parameters of a swap on Uniswap v2.
 *
 * @param parameters What the caller gave.
 * @returns The same in exact form, with the ends of the path and who is paid by the pool.
 * @throws {InvalidParameterError} Naming the argument that does not fit.
 *
 * @example
 * const { bought, sold, to } = readUniswapV2Swap(parameters);
 */
export function readUniswapV2Swap(parameters: UniswapV2SwapParameters): UniswapV2Swap {
  const swapRouter = readAccount(parameters.swapRouter, "swapRouter");
  const recipient = readAccount(parameters.recipient, "recipient");
  const deadline = readUint256(parameters.deadline, "deadline");
  const minimumOutput = readUint256(parameters.minimumOutput, "minimumOutput");
  if (minimumOutput === 0n) {
    // A block builder could take everything above the minimum.
    throw new InvalidParameterError({
      parameter: "minimumOutput",
      reason: "a swap without one can be robbed",
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
