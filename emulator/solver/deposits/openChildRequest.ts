import { type Address, type Hex, zeroAddress } from "viem";
import type { Amount } from "../../../src/schema/quote/amount.ts";
import type { LocalCurrency, ShownChain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { placesOf } from "../../context/places.ts";
import { amountObject } from "../../currencies/currencyId.ts";
import { formatUsd, microDollars, usdOf } from "../../money/prices.ts";
import { type DepositAddressTerms, type Intent, serializeIntent } from "../../requests/Intent.ts";
import { insertRequests } from "../../requests/insertRequest.ts";
import { type StoredQuote, serializeStoredQuote } from "../../requests/StoredQuote.ts";
import type { NewRequest, RequestRow, StoreTransaction } from "../../store/tables.ts";
import type { FoundDeposit } from "./find/findDeposits.ts";

/** Fields of the named request that a refund depends on. */
export type Parent = Pick<
  RequestRow,
  "id" | "user" | "refund_to" | "referrer" | "api_key_id" | "origin_chain_id"
>;

type Refunded = Pick<FoundDeposit, "amount" | "chainId" | "currency" | "tag">;

/** Terms of a request that refunds a payment to a deposit address. */
export type AddressRefund = {
  readonly refundTo: Address;
  readonly depositAddress: DepositAddressTerms;
  /** The id that the sweep's deposit carries. */
  readonly orderId: Hex;
};

/**
 * Opens a request that only refunds a deposit, on the deposit's chain. The named request is missing or cannot use the
 * deposit. A search for the named request's id finds the new request.
 *
 * @param depositor Receives the refund. A depositor who is the parent's user receives it at the parent's `refundTo` on
 * the parent's origin chain: on another chain that address may have another owner, or none.
 */
export async function openChildRequest(
  transaction: StoreTransaction,
  deposit: Refunded,
  depositor: Address,
  parent: Parent | undefined,
  context: Context,
  address?: AddressRefund,
): Promise<string> {
  const at = context.now();
  const requestId = context.random32();
  const isUser = parent !== undefined && parent.user.toLowerCase() === depositor.toLowerCase();
  const isOnOrigin = parent?.origin_chain_id === deposit.chainId;
  const refundTo = (isUser && isOnOrigin ? parent.refund_to : depositor) as Address;
  const terms = address ?? { orderId: context.random32(), refundTo };
  const intent = intentOf(deposit, { at, depositor, requestId, ...terms });
  const request = rowOf(deposit, intent, parent, at, context);
  const features = address === undefined ? [] : ["deposit_address"];
  await insertRequests(transaction, [{ features, request }]);
  return requestId;
}

function intentOf(
  { amount, chainId, currency }: Refunded,
  parts: Pick<Intent, "requestId" | "orderId" | "refundTo" | "depositAddress"> & {
    at: number;
    depositor: Address;
  },
): Intent {
  const { at, depositAddress, depositor, orderId, refundTo, requestId } = parts;
  return {
    appFees: [],
    ...(depositAddress && { depositAddress }),
    deposit: { amount, currency, minimumAmount: amount, via: "depository" },
    destination: { amount, chainId, currency, minimumAmount: 0n },
    expiresAt: at,
    fill: { amount: 0n, currency: zeroAddress, maximumAmount: 0n, path: [] },
    kind: "Send",
    orderId,
    origin: { amount, chainId, currency },
    own: null,
    recipient: refundTo,
    refundTo,
    requestId,
    routerVersion: "v3",
    slippageBps: 0,
    tradeType: "EXACT_INPUT",
    txs: [],
    txsGasLimit: null,
    useExternalLiquidity: false,
    user: depositor,
  };
}

function rowOf(
  { amount, chainId, currency, tag }: Refunded,
  intent: Intent,
  parent: Parent | undefined,
  at: number,
  context: Context,
): NewRequest {
  const chain = placesOf(context).get(chainId);
  if (chain === undefined) throw new Error(`chain ${chainId} is not configured`);
  const known = chain.currencies.find(({ address }) => address.toLowerCase() === currency);
  return {
    amount_usd: known === undefined ? 0 : microDollars(usdOf(amount, known)),
    api_key_id: parent?.api_key_id ?? null,
    app_fees_usd: 0,
    created_at: at,
    currency_in: currency,
    currency_in_symbol: known?.symbol ?? "",
    currency_out: currency,
    currency_out_symbol: known?.symbol ?? "",
    deposit_address: intent.depositAddress?.address ?? null,
    destination_chain_id: chainId,
    id: intent.requestId,
    intent: serializeIntent(intent),
    order_id: intent.orderId,
    origin_chain_id: chainId,
    parent_id: parent?.id ?? null,
    partner_id: null,
    quote: serializeStoredQuote(quoteOf(chain, known, intent, tag)),
    recipient: intent.recipient.toLowerCase(),
    referrer: parent?.referrer ?? null,
    refund_to: intent.refundTo.toLowerCase(),
    request_type: intent.kind,
    sender: intent.user.toLowerCase(),
    status: "waiting",
    updated_at: at,
    user: intent.user.toLowerCase(),
  };
}

/** Builds the quote of the record: the deposit is paid in, and refunded. */
function quoteOf(
  chain: ShownChain,
  currency: LocalCurrency | undefined,
  intent: Intent,
  tag: Hex,
): StoredQuote {
  const amount = currency
    ? amountObject(chain, currency, intent.origin.amount)
    : unknownAmount(chain, intent.origin.currency, intent.origin.amount);
  return {
    appFees: [],
    details: {
      currencyIn: amount,
      currencyOut: amount,
      operation: "send",
      recipient: intent.recipient,
      refundCurrency: amount,
      sender: intent.user,
    },
    fees: {},
    protocol: { v2: { orderId: tag } },
  };
}

/** An amount of an unknown token, in smallest units. */
function unknownAmount(chain: ShownChain, address: Address, amount: bigint): Amount {
  const units = amount.toString();
  return {
    amount: units,
    amountFormatted: units,
    amountUsd: formatUsd(0n),
    currency: {
      address,
      chainId: chain.definition.id,
      decimals: 0,
      metadata: { isNative: false, logoURI: "", verified: false },
      name: "",
      symbol: "",
    },
    minimumAmount: units,
  };
}
