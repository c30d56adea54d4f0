import { type Address, type Hex, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { amountObject } from "../../currencies/currencyId.ts";
import { type Intent, serializeIntent } from "../../requests/Intent.ts";
import { quotedTrigger } from "../../requests/insertRequest.ts";
import { serializeStoredQuote } from "../../requests/StoredQuote.ts";
import { withSearchFacts } from "../../requests/search/searchFacts.ts";
import type { NewRequest, StoreTransaction } from "../../store/tables.ts";

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
  const { at, requestId } = calls;
  const intent = intentOf(calls, random32());
  const rows = await withSearchFacts(transaction, [{ features: [], row: rowOf(calls, intent) }]);
  const added = await transaction
    .insertInto("requests")
    .values(rows)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  if (added.numInsertedOrUpdatedRows === 0n) return;
  await transaction
    .insertInto("events")
    .values({ at, data: "{}", request_id: requestId, status: "waiting", trigger: quotedTrigger })
    .execute();
}

function intentOf({ account, at, chain, requestId }: Calls, orderId: Hex): Intent {
  const chainId = chain.definition.id;
  const nothing = { amount: 0n, currency: zeroAddress } as const;
  return {
    appFees: [],
    deposit: { ...nothing, minimumAmount: 0n, via: "self" },
    destination: { ...nothing, chainId, minimumAmount: 0n },
    expiresAt: at,
    fill: { ...nothing, maximumAmount: 0n, path: [] },
    kind: "Call",
    orderId,
    origin: { ...nothing, chainId },
    own: null,
    recipient: account,
    refundTo: account,
    requestId,
    routerVersion: "v3",
    slippageBps: 0,
    tradeType: "EXACT_INPUT",
    txs: [],
    txsGasLimit: null,
    useExternalLiquidity: false,
    user: account,
  };
}

function rowOf({ apiKeyId, at, chain, referrer, requestId }: Calls, intent: Intent): NewRequest {
  const [native] = chain.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const account = intent.user.toLowerCase();
  const chainId = chain.definition.id;
  const nothing = amountObject(chain, native, 0n);
  return {
    amount_usd: 0,
    api_key_id: apiKeyId ?? null,
    app_fees_usd: 0,
    created_at: at,
    currency_in: native.address,
    currency_in_symbol: native.symbol,
    currency_out: native.address,
    currency_out_symbol: native.symbol,
    destination_chain_id: chainId,
    id: requestId,
    intent: serializeIntent(intent),
    order_id: intent.orderId,
    origin_chain_id: chainId,
    partner_id: null,
    quote: serializeStoredQuote({
      appFees: [],
      details: {
        currencyIn: nothing,
        currencyOut: nothing,
        operation: "call",
        recipient: account,
        sender: account,
      },
      fees: {},
    }),
    recipient: account,
    referrer: referrer || null,
    refund_to: account,
    request_type: "Call",
    sender: account,
    status: "waiting",
    updated_at: at,
    user: account,
  };
}
