import { type Address, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { isRevert, revertReason } from "../../router/revertReason.ts";
import type { Transaction } from "../../router/routerTransaction.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { Amounts } from "../route/computeAmounts.ts";

/** A transaction that was run for a quote and not sent. */
export type Simulation = {
  readonly call: Transaction;
  readonly chain: Pick<Chain, "head">;
  readonly from: Address;
  /** Why it cannot succeed, where that is known without reading the revert. */
  readonly reason?: string | undefined;
};

/**
 * Turns a failed simulation into the refusal of its quote. A node that does not answer is no refusal: its error is thrown on.
 *
 * @throws QuoteError `DESTINATION_TX_FAILED` with the reason, the call to replay, and the block that it was run on.
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

/** Says that the calls carry more native currency than the quote brings; `undefined` where they do not. */
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
