import { type Address, type Hex, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { amountObject } from "../../currencies/currencyId.ts";
import { quotedTrigger } from "../../requests/insertRequest.ts";
import { withSearchFacts } from "../../requests/search/searchFacts.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import { bareIntent, bareRow } from "../bareRequest.ts";

/** Calls without a quote. */
type Calls = {
  readonly account: Address;
  readonly apiKeyId: string | undefined;
  /** Unix milliseconds. */
  readonly at: number;
  readonly chain: Chain;
  readonly referrer: string | undefined;
  readonly requestId: Hex;
};

/**
 * Opens the request of calls without a quote, in the caller's transaction: a call on one chain that moves no amount and
 * waits for its execution. A request that exists is left unchanged.
 */
export async function openCallRequest(
  transaction: StoreTransaction,
  calls: Calls,
  { random32 }: Pick<Context, "random32">,
): Promise<void> {
  const { account, apiKeyId, at, chain, referrer, requestId } = calls;
  const [native] = chain.currencies;
  const nothing = { amount: 0n, currency: zeroAddress } as const;
  const intent = bareIntent({
    deposit: { ...nothing, minimumAmount: 0n, via: "self" },
    expiresAt: at,
    kind: "Call",
    orderId: random32(),
    origin: { ...nothing, chainId: chain.definition.id },
    recipient: account,
    refundTo: account,
    requestId,
    user: account,
  });
  const row = {
    ...bareRow(intent, amountObject(chain, native, 0n), "call", at),
    api_key_id: apiKeyId ?? null,
    referrer: referrer || null,
  };
  const added = await transaction
    .insertInto("requests")
    .values(await withSearchFacts(transaction, [{ features: [], row }]))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  if (added.numInsertedOrUpdatedRows === 0n) return;
  await transaction
    .insertInto("events")
    .values({ at, data: "{}", request_id: requestId, status: "waiting", trigger: quotedTrigger })
    .execute();
}
