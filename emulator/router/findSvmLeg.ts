import { accountText } from "../chains/accountText.ts";
import type { LocalCurrency } from "../chains/Chain.ts";
import type { SvmChain } from "../chains/svm/SvmChain.ts";
import { svmParts } from "../chains/svm/svmParts.ts";
import { hopOf, mostHops, mostUnits } from "../chains/svm/swap/swapInstruction.ts";
import type { Reserves } from "../money/swapMath.ts";
import { legOutput, noLeg, type SwapLeg } from "./SwapLeg.ts";

export type SvmLegSearch = {
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
