import type { Context } from "../../context/Context.ts";
import { PermitRefusedError } from "../../errors/PermitRefusedError.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { mostSpending } from "../../money/oracleBound.ts";
import { type Usd, usdOf } from "../../money/prices.ts";
import { type HeldBalance, heldBalances, planDebits } from "../../quote/claims/planDebits.ts";
import type { ClaimTerms, Intent } from "../../requests/Intent.ts";

type Debits = ClaimTerms["debits"];

/**
 * Prices the debits of a signed claim again. The wallet chooses when to sign, and prices move meanwhile: it never pays more than
 * the claim stated, and the service never loses more than its bound against the present prices.
 *
 * @param balances The wallet's claimable balances, locked by the caller.
 * @throws PermitRefusedError when the balance no longer covers the claim, or prices moved beyond the bound.
 */
export function presentDebits(
  { claim, destination, origin }: Intent & { readonly claim: ClaimTerms },
  balances: readonly HeldBalance[],
  { chains }: Pick<Context, "chains">,
): Debits {
  const [place] = heldBalances(
    [{ amount: origin.amount, chainId: destination.chainId, currency: origin.currency.toLowerCase() }],
    chains,
  );
  if (place === undefined) throw new Error("a claim of nothing");
  const held = ({ chainId, currency }: Debits[number]) =>
    balances.find((each) => isOf(each, { chainId, currency }))?.amount ?? 0n;
  const present = planned(balances, place, origin.amount);
  // Priced by their own currencies: a stated balance may be gone.
  const worth = (debits: Debits): Usd =>
    heldBalances(
      debits.map((debit) => ({ ...debit, currency: debit.currency.toLowerCase() })),
      chains,
    ).reduce((sum, { amount, currency }) => sum + usdOf(amount, currency), 0n);
  const [quotedWorth, presentWorth] = [worth(claim.debits), worth(present)];
  if (presentWorth <= quotedWorth) return present;
  if (presentWorth > mostSpending(quotedWorth)) {
    throw new PermitRefusedError("Prices moved since the claim was started: start another one");
  }
  if (claim.debits.some((debit) => held(debit) < debit.amount)) throw uncovered();
  return claim.debits;
}

function planned(balances: readonly HeldBalance[], place: HeldBalance, amount: bigint): Debits {
  try {
    return planDebits(balances, place, amount).debits;
  } catch (error) {
    if (error instanceof QuoteError) throw uncovered();
    throw error;
  }
}

function uncovered(): PermitRefusedError {
  return new PermitRefusedError("The balance no longer covers the claim");
}

function isOf(
  { chain, currency }: HeldBalance,
  debit: Pick<Debits[number], "chainId" | "currency">,
): boolean {
  return (
    chain.definition.id === debit.chainId && currency.address.toLowerCase() === debit.currency.toLowerCase()
  );
}
