import type { OrderData } from "../../../src/schema/quote/order.ts";
import type { RecordAmount } from "../../../src/schema/record/recordAmount.ts";
import type { RequestV2 } from "../../../src/schema/record/requestV2.ts";
import type { RequestStatus } from "../../../src/schema/request/requestStatus.ts";
import type { RequestStatusV2 } from "../../../src/schema/request/status.ts";
import { accountText } from "../../chains/accountText.ts";
import { shownDepositAddress } from "../depositAddresses.ts";
import type { StoredAppFee, StoredQuote } from "../StoredQuote.ts";
import { isOwn, type RequestParts, seesAuthenticatedData, type Viewer } from "./RequestParts.ts";
import { delivered, paid, rateOf, refunded, toppedUp, withCurrentUsd } from "./recordAmounts.ts";
import { actualFees, earnedAppFees, type FeeDollars, formatDollars, quotedFees } from "./recordFees.ts";
import { recordSponsorshipV2, subsidizedFee } from "./recordSponsorship.ts";
import { recordTransactions } from "./recordTransactions.ts";
import {
  failedCallOf,
  isoTime,
  recordProtocol,
  slippageOf,
  usesExternalLiquidity,
} from "./requestRecordV3.ts";

type OraclePrice = NonNullable<StoredQuote["oraclePrice"]>;

/** Statuses after which the output of an order is public. */
const ended: ReadonlySet<RequestStatus> = new Set(["success", "failure", "refund"]);

/** Builds a request's record for `GET /requests/v2` (specification, "Request record, version 2"). */
export function requestRecordV2(parts: RequestParts, viewer: Viewer): RequestV2 {
  const { request } = parts;
  return {
    createdAt: isoTime(request.created_at),
    data: dataOf(parts),
    depositAddress: shownDepositAddress(request, parts.addressPayment),
    id: request.id,
    moonpayId: request.partner_id,
    ...(viewer.includeOrderData && { orderData: orderDataOf(parts, viewer) }),
    protocol: recordProtocol(parts) ?? undefined,
    recipient: accountText(request.recipient),
    ...(seesAuthenticatedData(request, viewer) && { referrer: request.referrer ?? undefined }),
    status: statusV2(request.status),
    updatedAt: isoTime(request.updated_at),
    user: accountText(request.user),
  };
}

/** Version 2 has no status for a fill that was sent and is not mined yet. */
export function statusV2(status: RequestStatus): RequestStatusV2 {
  return status === "submitted" ? "pending" : status;
}

/** The order. While the request is open, its output is shown only to the API key that made the request. */
function orderDataOf({ quote, request }: RequestParts, viewer: Viewer): Partial<OrderData> | null {
  const order = quote.protocol?.v2?.orderData;
  if (order === undefined) return null;
  if (ended.has(request.status) || isOwn(request, viewer)) return order;
  const { output: _, ...rest } = order;
  return rest;
}

function dataOf(parts: RequestParts): RequestV2["data"] {
  const { quote, request } = parts;
  const { details, fees } = quote;
  const { inTxs, outTxs } = recordTransactions(parts);
  const renamed = ({ feeUsd: _, txHash, ...rest }: (typeof inTxs)[number]) => ({ ...rest, hash: txHash });
  const paidIn = details?.currencyIn.currency;
  const feeCurrency = fees?.relayer?.currency;
  const actual = actualFees(parts);
  return {
    appFeeCurrencyObject: quote.appFeeCurrency,
    appFees: toAppFees(parts, quote.appFees ?? []),
    currency: paidIn?.symbol.toLowerCase(),
    currencyObject: paidIn,
    expandedPriceImpact: {
      actual: actual && impactOf(actual),
      quoted: details && impactOf(quotedFees(parts)),
    },
    failedCallData: failedCallOf(request.failed_call) ?? undefined,
    failedTxBlockNumber: request.failed_tx_block ?? undefined,
    failedTxHash: request.failed_tx_hash ?? undefined,
    failReason: request.fail_reason ?? "N/A",
    feeCurrency: feeCurrency?.symbol.toLowerCase(),
    feeCurrencyObject: feeCurrency,
    fees: {
      fixed: "0",
      gas: fees?.relayerGas?.amount ?? "0",
      gateway: "0",
      price: fees?.relayerService?.amount ?? "0",
    },
    feeSponsorship: recordSponsorshipV2(parts),
    feesUsd: {
      fixed: "0",
      gas: fees?.relayerGas?.amountUsd ?? "0",
      gateway: "0",
      price: fees?.relayerService?.amountUsd ?? "0",
    },
    inTxs: inTxs.map(renamed),
    metadata: metadataOf(parts),
    outTxs: outTxs.map(renamed),
    paidAppFees: toAppFees(parts, earnedAppFees(parts)),
    price: details?.currencyOut.amount,
    refundCurrencyData: refunded(parts),
    refundFailReason: request.refund_fail_reason ?? "N/A",
    slippageTolerance: slippageOf(parts),
    subsidizedFee: subsidizedFee(parts),
    subsidizedRequest: request.sponsored_usd !== null,
    supersededByRequestId: parts.successor ?? null,
    timeEstimate: details?.timeEstimate,
    triggeredByFastFill: false,
    usesExternalLiquidity: usesExternalLiquidity(parts),
  };
}

function toAppFees(parts: RequestParts, fees: readonly StoredAppFee[]) {
  const currency = parts.quote.appFeeCurrency;
  return fees.map(({ amount, amountUsd, bps, recipient }) => ({
    amount,
    amountUsd,
    amountUsdCurrent: withCurrentUsd(parts, { amount, currency }).amountUsdCurrent,
    bps,
    recipient,
  }));
}

/** Version 2 calls the platform `relay`. */
function impactOf(fees: FeeDollars) {
  const { platform: relay, ...others } = formatDollars(fees);
  return { ...others, relay };
}

/** The oracle's price as version 2 has it: amounts and their places. */
function oraclePriceV2({ inputCurrency, observedAt, outputCurrency, rate }: OraclePrice) {
  const placeOf = ({ currency: { address, chainId } }: OraclePrice["inputCurrency"]) => ({
    address,
    chainId,
  });
  return {
    from: placeOf(inputCurrency),
    inputAmount: inputCurrency.amount,
    observedAt,
    outputAmount: outputCurrency.amount,
    rate,
    to: placeOf(outputCurrency),
  };
}

function metadataOf(parts: RequestParts) {
  const { quote, reorg, request } = parts;
  const { details } = quote;
  const current = (amount: RecordAmount | undefined) => amount && withCurrentUsd(parts, amount);
  return {
    ...(details?.currencyGasTopup && {
      currencyGasTopup: current(toppedUp(parts) ?? details.currencyGasTopup),
    }),
    currencyIn: current(paid(parts) ?? details?.currencyIn),
    currencyOut: current(delivered(parts) ?? details?.currencyOut),
    ...(quote.oraclePrice && { quoteOraclePrice: oraclePriceV2(quote.oraclePrice) }),
    rate: rateOf(parts),
    recipient: accountText(request.recipient),
    ...(reorg !== undefined && {
      reorg: { block: reorg.block_number, chainId: reorg.chain_id, txHash: reorg.tx_hash },
    }),
    route: {
      destination: details?.route?.destination,
      origin: details?.route?.origin,
    },
    sender: accountText(request.sender),
  };
}
