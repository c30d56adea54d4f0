import { zeroAddress } from "viem";
import type { RequestProtocol } from "../../../src/schema/record/requestProtocol.ts";
import type { RequestData, RequestRecord, RequestRoute } from "../../../src/schema/record/requestV3.ts";
import { type CallData, callDataSchema } from "../../../src/schema/wire/callData.ts";
import { accountText, textOrNull } from "../../chains/accountText.ts";
import { isEvmChain } from "../../context/places.ts";
import { parseShownTerms } from "../Intent.ts";
import { type RequestParts, seesAuthenticatedData, type Viewer } from "./RequestParts.ts";
import { delivered, deposited, paid, payingDeposit, rateOf, refunded, toppedUp } from "./recordAmounts.ts";
import { recordAppFees, recordFees } from "./recordFees.ts";
import { recordSponsorship } from "./recordSponsorship.ts";
import { recordTransactions } from "./recordTransactions.ts";

/** Builds a request's record for `GET /requests/v3` (specification, "Request record, version 3"). */
export function requestRecordV3(parts: RequestParts, viewer: Viewer): RequestRecord {
  const { features, request } = parts;
  return {
    createdAt: isoTime(request.created_at),
    data: dataOf(parts, viewer),
    depositAddress: depositAddressOf(parts),
    features: [...features],
    id: request.id,
    protocol: recordProtocol(parts),
    recipient: accountText(request.recipient),
    refundTo: request.refund_to === zeroAddress ? null : textOrNull(request.refund_to),
    requestType: request.request_type,
    sender: accountText(request.sender),
    status: request.status,
    supersededByRequestId: parts.successor ?? null,
    updatedAt: isoTime(request.updated_at),
    user: accountText(request.user),
  };
}

function depositAddressOf({ addressPayment, request }: RequestParts): RequestRecord["depositAddress"] {
  const terms = request.deposit_address === null ? undefined : parseShownTerms(request.intent).depositAddress;
  if (terms === undefined) return null;
  return {
    address: accountText(terms.address),
    depositor: textOrNull(addressPayment?.sender),
    depositTxHash: addressPayment?.tx_hash ?? null,
    recoveryAddress: textOrNull(terms.recoveryAddress),
    type: terms.type,
  };
}

function dataOf(parts: RequestParts, viewer: Viewer): RequestData {
  const { quote, request } = parts;
  return {
    appFees: recordAppFees(parts),
    externalMetadata: { moonpayId: request.partner_id },
    failedCallData: failedCallOf(request.failed_call),
    failedTxBlockNumber: request.failed_tx_block,
    failedTxHash: request.failed_tx_hash,
    failReason: request.fail_reason,
    fees: recordFees(parts),
    feeSponsorship: recordSponsorship(parts),
    platformFee: null,
    ...recordTransactions(parts),
    ...(seesAuthenticatedData(request, viewer) && { referrer: request.referrer }),
    quoteOraclePrice: quote.oraclePrice ?? null,
    refundCurrencyData: refunded(parts) ?? null,
    refundFailReason: request.refund_fail_reason,
    route: routeOf(parts),
    slippageTolerance: slippageOf(parts),
    timeEstimate: quote.details?.timeEstimate,
    triggeredByFastFill: parts.features.includes("fast_fill"),
    usesExternalLiquidity: usesExternalLiquidity(parts),
  };
}

/** The quoted route and the actual one, which equals the quoted one until money moves. */
function routeOf(parts: RequestParts): RequestRoute {
  const { details } = parts.quote;
  const none = { includedDestinationSwapSources: [], includedOriginSwapSources: [], includedSwapSources: [] };
  if (details === undefined) return { ...none, actual: null, quoted: null };
  const { includedSwapSources: onDestination = [], ...destination } = details.route?.destination ?? {};
  const { includedSwapSources: onOrigin = [], ...origin } = details.route?.origin ?? {};
  const spent = paid(parts) ?? details.currencyIn;
  const received = delivered(parts) ?? details.currencyOut;
  const isSameChain = parts.request.origin_chain_id === parts.request.destination_chain_id;
  return {
    actual: {
      destination: {
        ...destination,
        ...(details.currencyGasTopup && { currencyGasTopup: toppedUp(parts) ?? details.currencyGasTopup }),
        inputCurrency: details.currencyOut,
        outputCurrency: received,
      },
      origin: {
        ...origin,
        inputCurrency: spent,
        outputCurrency: isSameChain ? received : (deposited(parts) ?? origin.outputCurrency),
      },
      rate: rateOf(parts),
    },
    includedDestinationSwapSources: onDestination,
    includedOriginSwapSources: onOrigin,
    includedSwapSources: [...new Set([...onOrigin, ...onDestination])],
    quoted: {
      destination: details.route?.destination === undefined ? null : destination,
      origin: details.route?.origin === undefined ? null : origin,
    },
  };
}

/** Formats Unix milliseconds as ISO 8601. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Reads a call from its stored form. */
export function failedCallOf(json: string | null): CallData | null {
  return json === null ? null : callDataSchema.parse(JSON.parse(json));
}

/** Whether external liquidity may fill the request. */
export function usesExternalLiquidity({ request }: Pick<RequestParts, "request">): boolean {
  return parseShownTerms(request.intent).useExternalLiquidity;
}

/** Slippage in basis points, as quoted. A fixed output also has a slippage, which never reduces it. */
export function slippageOf({ quote }: Pick<RequestParts, "quote">): string | undefined {
  return quote.details?.slippageTolerance?.total;
}

function isEvmOrigin({ chains, request }: RequestParts): boolean {
  const place = chains.get(request.origin_chain_id);
  return place !== undefined && isEvmChain(place);
}

/** Protocol fields of a record; null for requests without an order. */
export function recordProtocol(parts: RequestParts): RequestProtocol | null {
  const { chains, quote, request, transactions } = parts;
  const v2 = quote.protocol?.v2;
  if (v2 === undefined) return null;
  const protocolChainId = v2.orderData?.solverChainId;
  const solverChain = [...chains.values()].find(({ definition }) => definition.name === protocolChainId);
  const deposit = payingDeposit(parts);
  const mined = (kind: "fill" | "refund") =>
    transactions
      .filter((row) => row.kind === kind && row.state === "mined")
      .map((row) => ({ chainId: row.chain_id, transactionId: row.hash }));
  return {
    deposit: {
      origin:
        deposit === undefined
          ? undefined
          : {
              amount: deposit.amount,
              chainId: deposit.chain_id,
              currency: accountText(deposit.currency),
              depositor: accountText(deposit.depositor),
              depository: v2.paymentDetails?.depository,
              onchainId: deposit.tag,
              transactionId: deposit.tx_hash,
            },
    },
    hubType: "onchain",
    // Its refund failed, and nothing was filled for it: the depository still holds it.
    isWithdrawable: deposit?.state === "abandoned" && deposit.tag === request.order_id && isEvmOrigin(parts),
    orderId: request.order_id,
    settlement: { destination: { fills: mined("fill"), refunds: mined("refund") } },
    solver: {
      address: v2.orderData?.solver,
      chainId: solverChain?.definition.id,
      protocolChainId,
    },
  };
}
