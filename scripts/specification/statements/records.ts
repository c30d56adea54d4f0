/** Records of requests and signatures. */
import type { Sections } from "../Section.ts";

export const RECORDS: Sections = {
  "Request record, version 2": {
    "record-v2/root": "The root has `id`, `status`, `user`, `recipient`, `createdAt` and `updatedAt`.",
    "record-v2/status": "`status` is refund, waiting, depositing, failure, pending or success.",
    "record-v2/fallback": "An older value for a refund is `fallback`.",
    "record-v2/dates": "`createdAt` and `updatedAt` are ISO 8601.",
    "record-v2/deposit-address":
      "`depositAddress` is null or `{ address, depositAddressType, depositor, depositTxHash }`.",
    "record-v2/partner-id": "A partner's id of the request is at the root.",
    "record-v2/slippage": "`slippageTolerance` is text in basis points.",
    "record-v2/reasons": "`failReason` and `refundFailReason` are of the enums, `N/A` without a failure.",
    "record-v2/superseded":
      "`supersededByRequestId` is null or the request that took a deposit-address request over.",
    "record-v2/failed-transaction":
      "`failedTxHash` and `failedTxBlockNumber` name the transaction that failed.",
    "record-v2/failed-call": "`failedCallData` is `{ from, to, data, value }`.",
    "record-v2/subsidized": "`subsidizedRequest` is true if fees were subsidised.",
    "record-v2/fees": "`fees` and `feesUsd` have `gas`, `fixed`, `price` and `gateway`; the former in wei.",
    "record-v2/in-txs": "`inTxs` have fee, data, `hash`, block, type, chain, timestamp and status.",
    "record-v2/state-changes": "`inTxs` and `outTxs` have `stateChanges`.",
    "record-v2/out-txs": "`outTxs` have the shape of `inTxs`.",
    "record-v2/tx-type": "The type of a transaction is `onchain`, its status `success` or `failure`.",
    "record-v2/currencies":
      "`currency`, `currencyObject`, `feeCurrency`, `feeCurrencyObject` and `appFeeCurrencyObject` name currencies.",
    "record-v2/refund-currency": "`refundCurrencyData` is the currency and amount of a refund.",
    "record-v2/app-fees": "`appFees` are `{ recipient, bps, amount, amountUsd, amountUsdCurrent }`.",
    "record-v2/subsidized-fee": "`subsidizedFee` has origin and sponsor amounts and their dollars.",
    "record-v2/sponsorship":
      "`feeSponsorship.quoted` has `selectedComponents`, `maxSubsidizationAmount`, `capHit` and `components`.",
    "record-v2/other-fields":
      "`price`, `usesExternalLiquidity`, `timeEstimate`, `metadata` and `protocol` may be there.",
    "record-v2/order-data":
      "`orderData` is there with `includeOrderData=true`; others see a pending request's without its output.",
  },
  "Request record, version 3": {
    "record-v3/root":
      "The root has `id`, `status`, `user`, `sender`, `recipient`, `data`, `protocol`, `createdAt` and `updatedAt`.",
    "record-v3/refund-to": "`refundTo` is an account or null.",
    "record-v3/deposit-address":
      "`depositAddress` is null or `{ address, type, depositor, depositTxHash, recoveryAddress }`.",
    "record-v3/recovery-address": "`recoveryAddress` can recover funds on the origin chain; null when unset.",
    "record-v3/request-type":
      "`requestType` is Bridge, Crosschain Swap, Same-chain Swap, Send, Wrap, Unwrap or Call.",
    "record-v3/superseded":
      "`supersededByRequestId` is at the root, null unless a regenerated request took over.",
    "record-v3/regenerated": "A deposit-address request that is regenerated names its successor.",
    "record-v3/features": "`features` lists what the request used, such as `app_fees`.",
    "record-v3/reasons": "`failReason` and `refundFailReason` are null when there is none.",
    "record-v3/failed-fields":
      "`failedTxHash`, `failedTxBlockNumber` and `failedCallData` describe a failed fill.",
    "record-v3/estimates":
      "`slippageTolerance`, `usesExternalLiquidity` and `timeEstimate` are those of the quote.",
    "record-v3/fast-fill": "`triggeredByFastFill` is true after a fast fill.",
    "record-v3/transactions": "`inTxs` and `outTxs` are those of version 2 with `txHash`.",
    "record-v3/app-fees":
      "`appFees` is `{ quoted, actual, currency }`; entries have `recipient`, `bps`, `amount`, `amountFormatted`.",
    "record-v3/app-fees-actual": "Entries of `appFees.actual` have `amountUsd` as well.",
    "record-v3/fees":
      "`fees` is `{ quoted, actual, currency }` with swap, execution, platform, app and sponsored.",
    "record-v3/fee-parts": "Each component of `fees` has `usd`, and may have `amount` and `amountFormatted`.",
    "record-v3/sponsorship":
      "`feeSponsorship` is `{ quoted, actual, currency }`; a phase has components and totals.",
    "record-v3/sponsor-payment": "`feeSponsorship.actual.sponsorPayment` is `{ amount, address, chainId }`.",
    "record-v3/sponsored-by-total": "Whether fees are sponsored follows from `sponsoredTotal.amountUsd`.",
    "record-v3/sponsored": "The record of a sponsored request has the sponsor's payment.",
    "record-v3/other-features":
      "`features` names gasless execution, fast fill, gas top-up and deposit addresses.",
    "record-v3/swap-sources": "`route` lists the swap sources of both sides and of each.",
    "record-v3/route":
      "`route.quoted` and `route.actual` have `inputCurrency`, `outputCurrency` and `router` for each side.",
    "record-v3/route-fallback": "`route.actual` equals `route.quoted` until something was carried out.",
    "record-v3/deposited": "The deposited amount is `route.actual.origin.inputCurrency`.",
    "record-v3/quoted-output": "The quoted output is `route.actual.destination.inputCurrency`.",
    "record-v3/received": "The received amount is `route.actual.destination.outputCurrency`.",
    "record-v3/received-same-chain":
      "The received amount of a same-chain swap is `route.actual.origin.outputCurrency`.",
    "record-v3/router": "`router` of `actual` is the provider that filled the side.",
    "record-v3/platform-fee": "`platformFee` may be null.",
    "record-v3/oracle-price":
      "`quoteOraclePrice` is there for integrators with fixed-rate oracle prices alone.",
    "record-v3/oracle-price-form":
      "`quoteOraclePrice` is `{ rate, observedAt, inputCurrency, outputCurrency }`.",
    "record-v3/referrer": "`referrer` is there with `includeAuthenticatedData=true` alone.",
    "record-v3/refund-currency": "`refundCurrencyData` is null or the refund's currency and amount.",
    "record-v3/partner-id": "`externalMetadata` holds a partner's id, or null.",
    "record-v3/protocol":
      "`protocol` has `orderId`, `hubType` and `solver { address, protocolChainId, chainId }`.",
    "record-v3/withdrawable": "`protocol.isWithdrawable` is true if the deposit can be withdrawn.",
    "record-v3/deposit":
      "`protocol.deposit.origin` names amount, chain, currency, depositor, depository and transaction.",
    "record-v3/settlement":
      "`protocol.settlement.destination` has `fills { chainId, transactionId }` and `refunds`.",
  },
  "Signature record": {
    "signature/endpoint": "`GET /requests/{requestId}/signature` answers the record of a request.",
    "signature/shape": "The record is `{ requestData, signature }`.",
    "signature/request-data":
      "`requestData` has chain, user, currency and amount of the origin, chain and user of the destination.",
    "signature/encoding":
      "The signed bytes are the ABI encoding of requestId, chains, users, currency and amount, in the given order.",
    "signature/hash": "The solver signs the keccak256 hash as an Ethereum signed message.",
    "signature/signer": "The signer is the solver's EVM account, which is the same on every chain.",
    "signature/on-chain": "A contract can recompute the record and verify the signature.",
    "signature/amount": "A contract can bind a payment to the signed amount.",
    "signature/unpaid": "A contract can refuse a request that is paid already.",
    "signature/request-id": "A contract can refuse another request id than the signed one.",
    "signature/expiry": "A contract can refuse a payment after an expiry.",
    "signature/recipients": "A contract can refuse recipients that are not on a list.",
    "signature/optional": "A default quote is paid by a plain transfer that no contract validates.",
  },
};
