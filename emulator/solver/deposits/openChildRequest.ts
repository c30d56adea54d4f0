import type { Address, Hex } from "viem";
import type { Amount } from "../../../src/schema/quote/amount.ts";
import type { ShownChain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { placesOf } from "../../context/places.ts";
import { amountObject } from "../../currencies/currencyId.ts";
import { formatUsd, microDollars, usdOf } from "../../money/prices.ts";
import type { DepositAddressTerms } from "../../requests/Intent.ts";
import { insertRequests } from "../../requests/insertRequest.ts";
import type { RequestRow, StoreTransaction } from "../../store/tables.ts";
import { bareIntent, bareRow } from "../bareRequest.ts";
import type { FoundDeposit } from "./FoundDeposit.ts";

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
 * deposit. A search for the named request's id finds the new request. A deposit for a quote that refunds nothing is not
 * refunded either.
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
  const isRefunded = parent === undefined || parent.refund_to !== null;
  const refundTo = ((isUser && isOnOrigin && parent.refund_to) || depositor) as Address;
  const terms = address ?? { orderId: context.random32(), refundTo };
  const { amount, chainId, currency, tag } = deposit;
  const intent = bareIntent({
    ...terms,
    deposit: { amount, currency, minimumAmount: amount, via: "depository" },
    expiresAt: at,
    kind: "Send",
    origin: { amount, chainId, currency },
    recipient: terms.refundTo,
    requestId,
    user: depositor,
  });
  const chain = placesOf(context).get(chainId);
  if (chain === undefined) throw new Error(`chain ${chainId} is not configured`);
  const known = chain.currencies.find((each) => each.address.toLowerCase() === currency);
  const shown = known ? amountObject(chain, known, amount) : unknownAmount(chain, currency, amount);
  // The deposit is paid in, and refunded.
  const quote = { protocol: { v2: { orderId: tag } }, refundCurrency: shown };
  const request = {
    ...bareRow(intent, shown, "send", at, quote),
    amount_usd: known === undefined ? 0 : microDollars(usdOf(amount, known)),
    api_key_id: parent?.api_key_id ?? null,
    deposit_address: intent.depositAddress?.address ?? null,
    parent_id: parent?.id ?? null,
    referrer: parent?.referrer ?? null,
    ...(!isRefunded && { refund_to: null }),
  };
  const features = address === undefined ? [] : ["deposit_address"];
  await insertRequests(transaction, [{ features, request }]);
  return requestId;
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
