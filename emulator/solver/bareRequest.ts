import { zeroAddress } from "viem";
import type { Amount } from "../../src/schema/quote/amount.ts";
import { type Intent, serializeIntent } from "../requests/Intent.ts";
import { type StoredQuote, serializeStoredQuote } from "../requests/StoredQuote.ts";
import type { NewRequest } from "../store/tables.ts";

type Terms = Pick<
  Intent,
  | "deposit"
  | "depositAddress"
  | "expiresAt"
  | "kind"
  | "orderId"
  | "origin"
  | "recipient"
  | "refundTo"
  | "requestId"
  | "user"
>;

/** The intent of a request that the service opens itself, on one chain: nothing is quoted, and nothing is filled. */
export function bareIntent(terms: Terms): Intent {
  return {
    ...terms,
    appFees: [],
    destination: { ...terms.origin, minimumAmount: 0n },
    fill: { amount: 0n, currency: zeroAddress, maximumAmount: 0n, path: [] },
    own: null,
    routerVersion: "v3",
    slippageBps: 0,
    tradeType: "EXACT_INPUT",
    txs: [],
    txsGasLimit: null,
    useExternalLiquidity: false,
  };
}

/** The row of such a request: the same amount on both sides. Other columns, and members of the quote, are added to it. */
export function bareRow(
  intent: Intent,
  amount: Amount,
  operation: string,
  at: number,
  quote: Pick<StoredQuote, "protocol"> & { readonly refundCurrency?: Amount } = {},
): NewRequest {
  const { kind, orderId, origin, requestId } = intent;
  const [user, recipient] = [intent.user.toLowerCase(), intent.recipient.toLowerCase()];
  const currency = origin.currency.toLowerCase();
  const { symbol } = amount.currency;
  const { refundCurrency, ...rest } = quote;
  const details = { currencyIn: amount, currencyOut: amount, operation, recipient, sender: user };
  return {
    amount_usd: 0,
    app_fees_usd: 0,
    created_at: at,
    currency_in: currency,
    currency_in_symbol: symbol,
    currency_out: currency,
    currency_out_symbol: symbol,
    destination_chain_id: origin.chainId,
    id: requestId,
    intent: serializeIntent(intent),
    order_id: orderId,
    origin_chain_id: origin.chainId,
    partner_id: null,
    quote: serializeStoredQuote({
      ...rest,
      appFees: [],
      details: { ...details, ...(refundCurrency && { refundCurrency }) },
      fees: {},
    }),
    recipient,
    refund_to: intent.refundTo.toLowerCase(),
    request_type: kind,
    sender: user,
    status: "waiting",
    updated_at: at,
    user,
  };
}
