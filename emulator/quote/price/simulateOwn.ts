import { type Address, type Hex, maxUint256, zeroAddress } from "viem";
import { hasCode } from "../../chains/hasCode.ts";
import { routerTransaction } from "../../router/routerTransaction.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { PricedRoute } from "../route/PricedRoute.ts";
import { isDirect, ownWork } from "../steps/userTransaction.ts";
import { missingValue, simulationRefused } from "./simulationRefused.ts";

/** Placeholder of the request id. Without zero bytes it costs as much gas as the real one. */
const placeholderId: Hex = `0x${"11".repeat(32)}`;

/**
 * Simulates a same-chain transaction that runs foreign code: calls, or a contract as recipient. The solver is the sender, as it
 * holds every currency and has approved both proxies. The user may lack either.
 *
 * @returns Its gas; zero if it was not simulated.
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
