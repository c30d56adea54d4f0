import { formatEther } from "viem";
import type { Amounts } from "../model/holdings.ts";
import { symbols, type TestSymbol } from "../quotes/intents.ts";
import type { Allowance, ChainName, Movement } from "./ledger.ts";
import { deliveriesOf } from "./routes.ts";
import type { Stage } from "./stage.ts";

/** Maximum gas cost of all transactions of a quote. */
const mostGas = 20_000_000_000_000_000n;
/** Maximum cost of a refund, as a share of the payment: a swap before the deposit, and the solver's gas. */
const mostRefundFees = 0.1;
const dollars: Readonly<Record<TestSymbol, number>> = {
  ETH: 2500e-18,
  USDC: 1e-6,
  USDT: 1e-6,
  WETH: 2500e-18,
};

/** End of an executed mutant, for the money. */
type Verdict = "lost" | "paid" | "refunded" | "untouched";

/** Violations in words; the verdict is `lost` if there is any. */
export type Judgement = { readonly verdict: Verdict; readonly losses: readonly string[] };

/** Judges the moved amounts by the request, never by the quote. */
export function judge(
  stage: Stage,
  movement: Movement,
  { allowances, hasRefund }: { allowances: readonly Allowance[]; hasRefund: boolean },
): Judgement {
  const losses = [...allowanceLosses(stage, allowances)];
  const { kind } = stage;
  const { user } = stage.accounts;
  const own = { alpha: movement.gainOf("alpha", user), beta: movement.gainOf("beta", user) };
  if (movement.gas > mostGas) losses.push(`gas of ${formatEther(movement.gas)} ETH`);
  for (const chain of ["alpha", "beta"] as const) {
    for (const symbol of symbols) {
      const isPaid = chain === "alpha" && symbol === kind.from;
      const lost = -own[chain][symbol];
      const most = isPaid ? stage.bounds.maximumInput : 0n;
      if (lost > most) losses.push(`${lost} ${symbol} on ${chain}, at most ${most}`);
    }
  }
  const paid = -own.alpha[kind.from];
  if (paid <= 0n) return { losses, verdict: losses.length > 0 ? "lost" : "untouched" };
  const missing = missingOf(stage, movement);
  if (missing.length === 0) return { losses, verdict: losses.length > 0 ? "lost" : "paid" };
  if (hasRefund && isRefunded(own, stage))
    return { losses, verdict: losses.length > 0 ? "lost" : "refunded" };
  return { losses: [...losses, `paid ${paid} ${kind.from}`, ...missing], verdict: "lost" };
}

/** Expected deliveries that are missing. */
function missingOf({ accounts, bounds, kind }: Stage, movement: Movement): string[] {
  return deliveriesOf(kind, accounts).flatMap(({ account, chain, minimum, spent = 0n, symbol }) => {
    const got = movement.gainOf(chain, account)[symbol];
    const least = minimum ?? bounds.minimumOutput - spent;
    return got >= least ? [] : [`${account} got ${got} ${symbol} on ${chain}, at least ${least}`];
  });
}

/** Whether the final loss in all currencies is a small share of the quote's amount. */
function isRefunded(own: Record<ChainName, Amounts>, { bounds, kind }: Stage): boolean {
  const worth = (["alpha", "beta"] as const).flatMap((chain) =>
    symbols.map((symbol) => Number(own[chain][symbol]) * dollars[symbol]),
  );
  const lost = -worth.reduce((sum, each) => sum + each, 0);
  return lost <= Number(bounds.maximumInput) * dollars[kind.from] * mostRefundFees;
}

/** An approval mined before the payment failed must be the requested one: exact, and for the service. */
function allowanceLosses({ bounds, fixture, request }: Stage, allowances: readonly Allowance[]): string[] {
  const { approvalProxy, depository, permit2, v3 } = fixture.alpha.info.contracts;
  const service = [approvalProxy, depository, permit2, v3.approvalProxy].map((each) => each.toLowerCase());
  return allowances.flatMap(({ amount, spender, token }) => {
    const isAsked =
      token.toLowerCase() === request.originCurrency.toLowerCase() &&
      service.includes(spender.toLowerCase()) &&
      amount <= bounds.maximumInput;
    return isAsked ? [] : [`an allowance of ${amount} of ${token} to ${spender}`];
  });
}
