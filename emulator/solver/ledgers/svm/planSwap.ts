import type { Address } from "viem";
import { accountText } from "../../../chains/accountText.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import type { SvmSwap } from "../../../chains/svm/swap/swapInstruction.ts";
import type { Delivery } from "../../../router/planDelivery.ts";
import { legInput, legsOf } from "../../../router/SwapLeg.ts";

/** The swap of a fill on the SVM chain. */
export type FillSwap = {
  /** Mints on the way, both ends included. */
  readonly path: readonly string[];
  readonly amounts: Exclude<SvmSwap["amounts"], { readonly buys: bigint }>;
};

/**
 * The swap of a fill. A fixed output takes what the pools ask for it at the fill, up to the whole inventory; what the deposit paid
 * beyond its price is sold with it, and unless the output must be exact, what the quote planned to sell.
 */
export async function planSwap(
  chain: SvmChain,
  path: readonly Address[],
  { inventory, output, reserve, surplus = 0n }: Delivery,
  planned: bigint,
): Promise<FillSwap> {
  const mints = path.map(accountText);
  if ("atLeast" in output) return { amounts: { atLeast: output.atLeast, sells: inventory }, path: mints };
  const sold = async () => {
    if (surplus === 0n) return reserve === undefined ? 0n : planned;
    const currencies = path.flatMap((mint) => chain.currencies.filter(({ address }) => address === mint));
    const [leg] = await legsOf(chain, [currencies]);
    const needed = (leg && legInput(leg, output.exactly)) ?? inventory;
    const least = reserve === undefined || needed > planned ? needed : planned;
    return smaller(least + surplus, inventory);
  };
  return {
    amounts: { atLeast: output.exactly, atMost: inventory, sells: await sold() },
    path: mints,
  };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
