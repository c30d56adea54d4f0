import { type Address, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { isRevert, revertReason } from "../../router/revertReason.ts";
import type { Transaction } from "../../router/routerTransaction.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { Amounts } from "../route/computeAmounts.ts";

/** A transaction that was simulated for a quote. */
export type Simulation = {
  readonly call: Transaction;
  readonly chain: Pick<Chain, "head">;
  readonly from: Address;
  /** Reason of the failure, if it is known without the revert data. */
  readonly reason?: string | undefined;
};

/**
 * Refuses the quote of a reverted simulation. Errors of the node itself are rethrown.
 *
 * @throws QuoteError `DESTINATION_TX_FAILED` with the reason, the call to replay and the simulated block.
 */
export function simulationRefused(cause: unknown, { call, chain, from, reason }: Simulation): never {
  if (!isRevert(cause)) throw cause;
  const { message } = revertReason(cause);
  throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", {
    approxSimulatedBlock: Number(chain.head().number),
    cause,
    errorData: reason === undefined ? message : `${reason}: ${message}`,
    failedCallData: { data: call.data, from, to: call.to, value: call.value.toString() },
  });
}

/** Describes calls that carry more native currency than the quote delivers; `undefined` if they do not. */
export function missingValue(
  { currencyOut, destination, txs }: Pick<ReadIntent, "currencyOut" | "destination" | "txs">,
  { amountOut }: Pick<Amounts, "amountOut">,
): string | undefined {
  const needed = txs.reduce((sum, { value }) => sum + value, 0n);
  const arriving = currencyOut.address === zeroAddress ? amountOut : 0n;
  if (needed <= arriving) return undefined;
  const [native] = destination.currencies;
  return `The calls carry ${needed} wei of ${native?.symbol ?? "native currency"}, and ${arriving} arrives`;
}
