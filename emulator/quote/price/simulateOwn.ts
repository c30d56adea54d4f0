import { type Address, type Hex, maxUint256, zeroAddress } from "viem";
import { hasCode } from "../../chains/hasCode.ts";
import { routerTransaction } from "../../router/routerTransaction.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { PricedRoute } from "../route/PricedRoute.ts";
import { isDirect, ownWork } from "../steps/userTransaction.ts";
import { missingValue, simulationRefused } from "./simulationRefused.ts";

/** The request has no id yet; one without zero bytes costs what the real one will. */
const placeholderId: Hex = `0x${"11".repeat(32)}`;

/**
 * Runs the user's own transaction, where it runs code that is not the service's: calls, or a contract that is paid. It is run
 * in the solver's name, who holds every currency and has approved both proxies: the user may have to approve first.
 *
 * @returns The gas that it takes; zero where it was not run.
 * @throws QuoteError `DESTINATION_TX_FAILED` when it reverts.
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
