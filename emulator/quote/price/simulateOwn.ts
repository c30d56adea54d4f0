import { type Address, type Hex, maxUint256, zeroAddress } from "viem";
import { hasCode } from "../../chains/balanceOf.ts";
import type { Chain } from "../../chains/Chain.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { isRevert, revertReason } from "../../router/revertReason.ts";
import { routerTransaction, type Transaction } from "../../router/routerTransaction.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { Amounts } from "../route/computeAmounts.ts";
import type { PricedRoute } from "../route/planRoute.ts";
import { isDirect, ownWork } from "../steps/userTransaction.ts";

/** Placeholder of the request id. Without zero bytes it costs as much gas as the real one. */
const placeholderId: Hex = `0x${"11".repeat(32)}`;

/**
 * Simulates a same-chain transaction that runs foreign code: calls, or a contract as recipient. The solver is the
 * sender, as it holds every currency and has approved both proxies. The user may lack either.
 */
export async function simulateOwn(priced: PricedRoute, solver: Address): Promise<bigint> {
  const { amounts, read, routerVersion } = priced;
  if (!(await runsForeignCode(read)) || (await isDirect(priced))) return 0n;
  const context = { deadline: maxUint256, orderId: placeholderId, requestId: placeholderId, solver };
  const chain = read.origin;
  const call = routerTransaction(ownWork(priced, context), chain, routerVersion);
  return chain.client.estimateGas({ ...call, account: solver }).catch((cause: unknown) => {
    const reason = missingValue(read, amounts);
    return simulationRefused(cause, { call, chain, from: solver, reason });
  });
}

async function runsForeignCode({ currencyOut, origin, recipient, txs }: ReadIntent): Promise<boolean> {
  if (txs.length > 0) return true;
  return currencyOut.address === zeroAddress && (await hasCode(origin, recipient));
}

/** A transaction that was simulated for a quote. */
export type Simulation = {
  readonly call: Transaction;
  readonly chain: Pick<Chain, "head">;
  readonly from: Address;
  /** Reason of the failure, if it is known without the revert data. */
  readonly reason?: string | undefined;
};

/** Refuses the quote of a reverted simulation. Errors of the node itself are rethrown. */
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
