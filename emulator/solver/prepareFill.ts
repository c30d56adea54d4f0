import type { FailReason } from "../../src/schema/failReason.ts";
import type { Context } from "../Context.ts";
import { balanceOf } from "../chains/balanceOf.ts";
import type { Chain } from "../chains/Chain.ts";
import type { Intent } from "../store/Intent.ts";
import { fillCall, type SolverCall } from "./fillCall.ts";
import { revertOf } from "./revertOf.ts";

/** A transaction that was run on the chain's present state and works, or why there is none. */
export type Prepared =
  | { readonly call: SolverCall; readonly gas: bigint }
  | { readonly failReason: FailReason; readonly details: string };

/** The fill of an intent whose deposit was `deposited`; revalidated now, whatever the quote said. */
export async function prepareFill(
  intent: Intent,
  deposited: bigint,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<Prepared> {
  const amount = fillAmount(intent, deposited);
  const solver = accounts.solver.account.address;
  const { currency } = intent.destination;
  if ((await balanceOf(chain, currency, solver)) < amount) {
    return { details: "The solver does not hold the output", failReason: "SOLVER_BALANCE_TOO_LOW" };
  }
  return prepareCall(fillCall(intent, chain.contracts, amount), chain, solver);
}

/** Runs a call of the solver without sending it. */
export async function prepareCall(call: SolverCall, chain: Chain, solver: `0x${string}`): Promise<Prepared> {
  try {
    const gas = await chain.client.estimateGas({ ...call, account: solver });
    // A fifth on top: inner calls keep back a 64th of the gas, and state may have moved by the time it is mined.
    return { call, gas: (gas * 6n) / 5n };
  } catch (error) {
    const { data, message } = revertOf(error);
    return { details: message, failReason: data === "0x" ? "MISSING_REVERT_DATA" : "EXECUTION_REVERTED" };
  }
}

/** Whoever paid more than asked, for an output that varies, gets as much more. */
function fillAmount(intent: Intent, deposited: bigint): bigint {
  if (intent.tradeType !== "EXACT_INPUT") return intent.destination.amount;
  return (intent.destination.amount * deposited) / intent.origin.amount;
}
