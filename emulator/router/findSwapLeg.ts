import { zeroAddress } from "viem";
import type { Chain, LocalCurrency, SwapPair } from "../chains/Chain.ts";
import { readWords } from "../chains/rpc.ts";
import { QuoteError } from "../errors/QuoteError.ts";
import type { Reserves } from "../money/swapMath.ts";
import { isRevert } from "./revertReason.ts";
import { noLeg, type SwapLeg } from "./SwapLeg.ts";

/** Selector of a pool's `getReserves()`. */
const getReserves = "0x0902f1ac";

/**
 * Finds the leg between two currencies of a chain, by the present reserves of its pools.
 *
 * @returns `undefined` when no leg exists, or none is allowed.
 * @throws QuoteError `SWAP_QUOTE_FAILED` when the pool's reserves cannot be read.
 */
export async function findSwapLeg(
  chain: Chain,
  from: LocalCurrency,
  to: LocalCurrency,
  maySwap: boolean,
): Promise<SwapLeg | undefined> {
  if (from.address === to.address) return noLeg(from);
  const [tokenIn, tokenOut] = [tokenOf(chain, from), tokenOf(chain, to)];
  const path = [from, to];
  if (tokenIn === tokenOut) return { from, path, pools: [], to };
  const pair = chain.swap.pairs.find(({ tokens }) => tokens.includes(tokenIn) && tokens.includes(tokenOut));
  if (!maySwap || pair === undefined) return undefined;
  const [reserve0, reserve1] = await reservesOf(chain, pair);
  if (reserve0 === 0n || reserve1 === 0n) return undefined;
  const pool: Reserves =
    pair.tokens[0] === tokenIn
      ? { reserveIn: reserve0, reserveOut: reserve1 }
      : { reserveIn: reserve1, reserveOut: reserve0 };
  return { from, path, pools: [pool], to };
}

/** The token that pools list for a currency: wrapped native for the native one. */
function tokenOf({ swap }: Pick<Chain, "swap">, { address }: Pick<LocalCurrency, "address">) {
  return address === zeroAddress ? swap.wrappedNative : address;
}

async function reservesOf(chain: Chain, { address }: SwapPair): Promise<readonly [bigint, bigint]> {
  const [reserve0 = 0n, reserve1 = 0n] = await readWords(chain.rpc, address, getReserves).catch(
    (cause: unknown) => {
      if (!isRevert(cause)) throw cause;
      throw new QuoteError("SWAP_QUOTE_FAILED", `The pool ${address} does not tell its reserves`, { cause });
    },
  );
  return [reserve0, reserve1];
}
