import { accountText } from "../chains/accountText.ts";
import type { LocalCurrency } from "../chains/Chain.ts";
import type { SvmChain } from "../chains/svm/SvmChain.ts";
import { svmParts } from "../chains/svm/svmParts.ts";
import { hopOf, mostHops, mostUnits } from "../chains/svm/swap/swapInstruction.ts";
import type { Reserves } from "../money/swapMath.ts";
import { legOutput, noLeg, type SwapLeg } from "./SwapLeg.ts";

/** What a leg on the SVM chain is searched for. */
export type SvmLegSearch = {
  readonly from: LocalCurrency;
  readonly to: LocalCurrency;
  /** Input in smallest units, by which routes are compared. */
  readonly amount: bigint;
  /** Most pools on the way. @default as many as a swap can have */
  readonly maxRouteLength?: number | undefined;
};

/**
 * Finds the leg between two currencies of the SVM chain: of all routes that are not too long, and whose pools the swap program
 * trades in, the one that gives most by the present reserves.
 *
 * @returns `undefined` when no route exists.
 */
export async function findSvmLeg(
  chain: SvmChain,
  { amount, from, maxRouteLength = mostHops, to }: SvmLegSearch,
): Promise<SwapLeg | undefined> {
  if (from.address === to.address) return noLeg(from);
  const paths = pathsBetween(chain, [from], to, Math.min(maxRouteLength, mostHops));
  const legs = await Promise.all(paths.map((path) => svmLegOf(chain, path)));
  const isOpen = (reserve: bigint) => reserve > 0n && reserve < mostUnits;
  const open = legs.filter(({ pools }) =>
    pools.every(({ reserveIn, reserveOut }) => isOpen(reserveIn) && isOpen(reserveOut)),
  );
  const given = open.map((leg) => ({ leg, output: legOutput(leg, amount) }));
  return given.toSorted((a, b) => (a.output > b.output ? -1 : 1))[0]?.leg;
}

/** The leg along a path of currencies, by the present reserves of its pools. */
export async function svmLegOf(chain: SvmChain, path: readonly LocalCurrency[]): Promise<SwapLeg> {
  const [from, to] = [path[0], path.at(-1)];
  if (from === undefined || to === undefined) throw new Error("a path without currencies");
  const { ledger, pools } = svmParts(chain);
  const mints = path.map(({ address }) => accountText(address));
  const reserves = await ledger.read((machine) =>
    mints.slice(1).map((taken, index): Reserves => {
      const [reserveIn, reserveOut] = hopOf(pools, mints[index] ?? taken, taken).vaults.map(machine.tokensIn);
      return { reserveIn: reserveIn ?? 0n, reserveOut: reserveOut ?? 0n };
    }),
  );
  return { from, path, pools: reserves, to };
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

/** Currencies that a pool trades for one. */
function nextFrom(chain: SvmChain, { address }: LocalCurrency): readonly LocalCurrency[] {
  const mint = accountText(address);
  const mints = svmParts(chain).pools.flatMap(({ tokens }) => {
    const others = tokens.filter((token) => token.address !== mint);
    return others.length === 1 ? others.map((other) => other.address) : [];
  });
  return chain.currencies.filter((currency) => mints.includes(accountText(currency.address)));
}
