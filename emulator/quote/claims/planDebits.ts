import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { amountWorth, convertAmount, usdOf } from "../../money/prices.ts";
import { type AppFeeBalance, readAppFeeBalances } from "../../requests/accrueAppFees.ts";
import type { ClaimTerms } from "../../requests/Intent.ts";
import { outstandingAdvances } from "../../requests/isAdvanceOwed.ts";
import type { Store } from "../../store/tables.ts";

type HeldBalance = {
  readonly chain: Chain;
  readonly currency: LocalCurrency;
  readonly amount: bigint;
};

/** The amount that a claim takes, in the claimed currency, and its share of each balance. */
type PlannedDebits = { readonly amount: bigint; readonly debits: ClaimTerms["debits"] };

/** The balances that a wallet can claim, with their chains. */
export function heldBalances(
  balances: readonly AppFeeBalance[],
  chains: Context["chains"],
): readonly HeldBalance[] {
  return balances.flatMap(({ amount, chainId, currency: address }) => {
    if (amount <= 0n) return [];
    const chain = chains.get(chainId);
    const currency = chain?.currencies.find((each) => each.address.toLowerCase() === address);
    if (chain === undefined || currency === undefined) {
      throw new Error(`app fees are in ${address} of chain ${chainId}, which is not configured`);
    }
    return [{ amount, chain, currency }];
  });
}

/** Dollars are in units of 1e-18. */
const perMicro = 10n ** 12n;

/** The balances that a wallet can claim now: what its fast fills have advanced stays until deposits cover it. */
export async function claimableBalances(
  wallet: string,
  store: Store,
  { chains }: Pick<Context, "chains">,
): Promise<readonly HeldBalance[]> {
  let reserved = BigInt(await outstandingAdvances(store, { wallet })) * perMicro;
  return heldBalances(await readAppFeeBalances(store, wallet), chains).flatMap((balance) => {
    const kept = least(amountWorth(reserved, balance.currency, "up"), balance.amount);
    reserved -= least(reserved, usdOf(kept, balance.currency));
    return kept === balance.amount ? [] : [{ ...balance, amount: balance.amount - kept }];
  });
}

/**
 * Distributes a claim over the balances of its wallet at present prices, in their order. Each debit is rounded up to a
 * whole unit, so that a claim never takes less than it pays.
 */
export function planDebits(
  balances: readonly HeldBalance[],
  place: Pick<HeldBalance, "chain" | "currency">,
  asked: bigint | undefined,
): PlannedDebits {
  const { currency } = place;
  const worth = balances.map((each) =>
    isSame(each, place) ? each.amount : convertAmount(each.amount, each.currency, currency),
  );
  const available = worth.reduce((sum, each) => sum + each, 0n);
  const amount = asked ?? available;
  if (amount > available) {
    throw new QuoteError(
      "INSUFFICIENT_FUNDS",
      `The wallet can claim ${available} ${currency.symbol}, in smallest units`,
    );
  }
  if (amount === 0n) throw new QuoteError("AMOUNT_TOO_LOW", "There is nothing to claim");
  let missing = amount;
  const debits = balances.flatMap((balance, index) => {
    const taken = least(missing, worth[index] ?? 0n);
    missing -= taken;
    if (taken === 0n) return [];
    const debit = isSame(balance, place)
      ? taken
      : amountWorth(usdOf(taken, currency), balance.currency, "up");
    const { chain } = balance;
    return [
      {
        amount: least(debit, balance.amount),
        chainId: chain.definition.id,
        currency: balance.currency.address,
      },
    ];
  });
  return { amount, debits };
}

function isSame(
  a: Pick<HeldBalance, "chain" | "currency">,
  b: Pick<HeldBalance, "chain" | "currency">,
): boolean {
  return a.chain === b.chain && a.currency.address === b.currency.address;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
