import { zeroAddress } from "viem";
import { accountText } from "../chains/accountText.ts";
import type { Chain, LocalCurrency, SwapPair } from "../chains/Chain.ts";
import { readWords } from "../chains/rpc.ts";
import type { SvmChain } from "../chains/svm/SvmChain.ts";
import { svmParts } from "../chains/svm/svmParts.ts";
import { hopOf, mostHops, mostUnits } from "../chains/svm/swap/swapInstruction.ts";
import { QuoteError } from "../errors/refusals.ts";
import { amountInFor, amountOutOf, type Reserves } from "../money/swapMath.ts";
import { isRevert } from "./revertReason.ts";

/**
 * A conversion between two currencies of one chain. Without pools it changes nothing, or wraps or unwraps the
 * native currency one for one.
 */
export type SwapLeg = {
  readonly from: LocalCurrency;
  readonly to: LocalCurrency;
  /** Currencies on the way, both ends included; only the first when nothing changes. */
  readonly path: readonly LocalCurrency[];
  /** Reserves of the pools on the way, in order, as read from the chain. */
  readonly pools: readonly Reserves[];
};

/** Builds the leg that changes nothing. */
export function noLeg(currency: LocalCurrency): SwapLeg {
  return { from: currency, path: [currency], pools: [], to: currency };
}

/** Whether a leg changes the currency. */
export function isLeg({ from, to }: SwapLeg): boolean {
  return from.address !== to.address;
}

/** Whether a leg trades in pools, rather than wraps. */
export function isSwap({ pools }: SwapLeg): boolean {
  return pools.length > 0;
}

/** Exact output of a leg. */
export function legOutput({ pools }: SwapLeg, amountIn: bigint): bigint {
  return pools.reduce((amount, pool) => amountOutOf(pool, amount), amountIn);
}

/** Exact input of a leg; `undefined` where a pool holds too little. */
export function legInput({ pools }: SwapLeg, amountOut: bigint): bigint | undefined {
  return pools.reduceRight<bigint | undefined>(
    (amount, pool) => (amount === undefined ? undefined : amountInFor(pool, amount)),
    amountOut,
  );
}

/** Addresses of a leg's path as intents store it; empty when nothing changes. */
export function pathOf(leg: SwapLeg): readonly `0x${string}`[] {
  return isLeg(leg) ? leg.path.map(({ address }) => address) : [];
}

/** Selector of a pool's `getReserves()`. */
const getReserves = "0x0902f1ac";

/** Finds the leg between two currencies of a chain, by the present reserves of its pools. */
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

type SvmLegSearch = {
  readonly from: LocalCurrency;
  readonly to: LocalCurrency;
  /** Input in smallest units, by which routes are compared. */
  readonly amount: bigint;
  /** Most pools on the way. @default as many as a swap can have */
  readonly maxRouteLength?: number | undefined;
};

/**
 * Finds the leg between two currencies of the SVM chain: of all routes that are not too long, and whose pools the swap
 * program trades in, the one that gives most by the present reserves.
 */
export async function findSvmLeg(
  chain: SvmChain,
  { amount, from, maxRouteLength = mostHops, to }: SvmLegSearch,
): Promise<SwapLeg | undefined> {
  if (from.address === to.address) return noLeg(from);
  const paths = pathsBetween(chain, [from], to, Math.min(maxRouteLength, mostHops));
  const legs = await legsOf(chain, paths);
  const isOpen = (reserve: bigint) => reserve > 0n && reserve < mostUnits;
  const open = legs.filter(({ pools }) =>
    pools.every(({ reserveIn, reserveOut }) => isOpen(reserveIn) && isOpen(reserveOut)),
  );
  const given = open.map((leg) => ({ leg, output: legOutput(leg, amount) }));
  return given.toSorted((a, b) => (a.output > b.output ? -1 : 1))[0]?.leg;
}

/** The legs along paths of currencies, by the reserves of one moment. */
export async function legsOf(
  chain: SvmChain,
  paths: readonly (readonly LocalCurrency[])[],
): Promise<readonly SwapLeg[]> {
  const { ledger, pools } = svmParts(chain);
  return ledger.read(({ tokensIn }) =>
    paths.map((path) => {
      const [from, to] = [path[0], path.at(-1)];
      if (from === undefined || to === undefined) throw new Error("a path without currencies");
      const mints = path.map(({ address }) => accountText(address));
      const reserves = mints.slice(1).map((taken, index): Reserves => {
        const [source, destination] = hopOf(pools, mints[index] ?? taken, taken).vaults;
        return { reserveIn: tokensIn(source), reserveOut: tokensIn(destination) };
      });
      return { from, path, pools: reserves, to };
    }),
  );
}

/** All paths that go on from some currencies to another one, by at most `hops` pools and through none twice. */
function pathsBetween(
  chain: SvmChain,
  way: readonly LocalCurrency[],
  to: LocalCurrency,
  hops: number,
): readonly (readonly LocalCurrency[])[] {
  const at = way.at(-1);
  if (at === undefined) return [];
  if (at.address === to.address) return [way];
  if (way.length > hops) return [];
  return nextFrom(chain, at)
    .filter((next) => !way.includes(next))
    .flatMap((next) => pathsBetween(chain, [...way, next], to, hops));
}

function nextFrom(chain: SvmChain, { address }: LocalCurrency): readonly LocalCurrency[] {
  const mint = accountText(address);
  const mints = svmParts(chain).pools.flatMap(({ tokens }) => {
    const others = tokens.filter((token) => token.address !== mint);
    return others.length === 1 ? others.map((other) => other.address) : [];
  });
  return chain.currencies.filter((currency) => mints.includes(accountText(currency.address)));
}
