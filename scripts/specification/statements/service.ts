/** States, authentication, events, errors, limits and versions. */
import type { Section } from "../Section.ts";

export const SERVICE: readonly Section[] = [
  {
    title: "States",
    statements: {
      "state/all": "A status is waiting, depositing, pending, submitted, success, failure or refund.",
      "state/listing":
        "The enum of the version 2 listing lacks `submitted`; `delayed` is an earlier name that version 3 removes.",
      "state/waiting": "`waiting`: the deposit is not indexed yet.",
      "state/depositing":
        "`depositing`: the service makes a confirmed deposit for a signature, and the fill is prepared.",
      "state/pending": "`pending`: the deposit is indexed.",
      "state/submitted": "`submitted`: the fill was sent on the destination chain.",
      "state/success": "`success`: the funds reached the recipient.",
      "state/failure": "`failure`: the fill failed.",
      "state/refund": "`refund`: the deposit was given back.",
      "state/waiting-to-pending": "A deposit that is found moves a request from waiting to pending.",
      "state/pending-to-success": "A fill that succeeds moves a request to success, with a webhook event.",
    },
  },
  {
    title: "Authentication",
    statements: {
      "auth/header": "The API key is the header `x-api-key`.",
      "auth/tied": "A key ties requests, rate limits and webhooks to itself.",
      "auth/requests-v2": "`GET /requests/v2` takes a key, which raises its limit.",
      "auth/requests-v3": "`GET /requests/v3` needs an active key.",
      "auth/own-data":
        "Authenticated fields are shown with `includeAuthenticatedData=true` for the key's own requests alone.",
      "auth/server-only": "A key proxy keeps the key on the server.",
    },
  },
  {
    title: "Webhooks",
    statements: {
      "webhook/one-per-key": "A key has one endpoint.",
      "webhook/enabled": "An endpoint can be enabled and disabled.",
      "webhook/https": "An endpoint on another machine is an HTTPS address.",
      "webhook/custom-headers": "Custom headers go with every post.",
      "webhook/own-requests": "Requests of the key post events, others do not.",
      "webhook/event": "`event` is `request.status.updated`.",
      "webhook/timestamp": "`timestamp` is in unix milliseconds.",
      "webhook/status": "`data.status` is one of the seven statuses.",
      "webhook/hashes": "`data.inTxHashes` and `data.txHashes` list transactions.",
      "webhook/updated-at": "`data.updatedAt` is in unix milliseconds.",
      "webhook/chains": "`data.originChainId` and `data.destinationChainId` are numbers.",
      "webhook/deposit-address": "`data.depositAddress` is null without a deposit address.",
      "webhook/deposit-address-form":
        "`data.depositAddress` names address, type, depositor and transaction of a deposit address.",
      "webhook/request-id": "`data.requestId` names the request.",
      "webhook/referrer": "`data.referrer` is the quote's, or null.",
      "webhook/details": "`data.details` has extra context such as decoded revert data, or null.",
      "webhook/fail-reason":
        "`data.failReason` is `N/A` without a failure, else the recorded reason or `UNKNOWN`.",
      "webhook/refund-fail-reason": "`data.refundFailReason` is `N/A` by default.",
      "webhook/every-status": "Every status update is posted, when the request reaches the status.",
      "webhook/signature-headers": "Posts carry `X-Signature-Timestamp` and `X-Signature-SHA256`.",
      "webhook/hmac": "The signature is the hex HMAC-SHA256 of `<timestamp>.<raw body>` with the API key.",
      "webhook/constant-time": "The signature is compared in constant time.",
      "webhook/reject": "A receiver answers a post that fails verification with another status than 2xx.",
      "webhook/retries": "A refused post is retried up to ten times with exponential backoff.",
    },
  },
  {
    title: "Websocket and deposit event",
    statements: {
      "websocket/stream": "A websocket server streams statuses as they happen.",
      "deposit/event": "The deposit contract emits an event with the `orderId`.",
    },
  },
  {
    title: "Errors",
    statements: {
      "error/svm-size":
        "A deposit transaction of an SVM origin over 1172 bytes is found before it is signed.",
      "error/svm-size-400": "`POST /quote/v2` answers 400 for such a quote.",
      "error/requests-v2-429": "`GET /requests/v2` answers 429 over its reduced limit.",
      "error/exchange": "A submission to the exchange fails unless the status is 200 and the body's is `ok`.",
      "error/fail-reasons": "`failReason` has 68 documented values and `N/A`.",
      "error/refund-fail-reasons": "`refundFailReason` has four documented values and `N/A`.",
      "error/allowance":
        "A transfer beyond the allowance fails when the approval is missing, too small or for another contract.",
    },
  },
  {
    title: "Limits",
    statements: {
      "limit/page-size": "A page has 20 records by default, 1 to 50.",
      "limit/webhook-retries": "A webhook is retried up to ten times.",
      "limit/polling": "A status is polled once a second.",
      "limit/svm-transaction": "An SVM transaction has at most 1232 bytes.",
      "limit/svm-compute-budget": "Compute-budget instructions add up to 60 bytes, so quotes stop at 1172.",
      "limit/route-length": "`maxRouteLength` 4, then 3, is advised for a transaction that is too large.",
      "limit/webhooks-per-key": "A key has one webhook.",
    },
  },
  {
    title: "Versions",
    statements: {
      "version/paths": "Quotes are at `/quote/v2`, statuses at `/intents/status/v3`; the older forms exist.",
      "version/protocol-data": "Protocol data of a quote are under `protocol.v2`.",
      "version/protocol-version": "Another `protocolVersion` than `v2` selects another protocol.",
      "version/v2-deprecated": "`GET /requests/v2` is deprecated from 22 July 2026 and keeps working.",
      "version/v2-throttled": "From 1 September 2026 its limit shrinks each month, and answers 429.",
      "version/v2-retired": "On 24 November 2026 it is retired.",
      "version/v2-successor": "`GET /requests/v3` replaces it.",
      "version/v3-key": "Version 3 requires a key.",
      "version/v3-parameters": "Version 3 has no `hash` and no `referrer`, but `term` and many filters.",
      "version/v3-fees":
        "`data.fees` of version 3 are dollar components; the wei `fees` and `feesUsd` are gone.",
      "version/v3-platform": "The service's component is named `platform`.",
      "version/v3-impact": "`expandedPriceImpact` became part of `data.fees`.",
      "version/v3-app-fees": "`appFees` and `paidAppFees` became `data.appFees`.",
      "version/v3-sponsorship": "`subsidizedRequest` and `subsidizedFee` gave way to `feeSponsorship`.",
      "version/v3-metadata": "`data.metadata` gave way to `sender` and `data.route`.",
      "version/v3-currencies": "`price`, `currency`, `feeCurrency` and the currency objects are gone.",
      "version/v3-tx-hash": "`hash` of transactions is named `txHash`.",
      "version/v3-partner-id": "The partner's id moved to `data.externalMetadata`.",
      "version/v3-superseded": "`supersededByRequestId` moved to the root.",
      "version/v3-added":
        "`refundTo`, `requestType`, `features`, `recoveryAddress`, `quoteOraclePrice` and `sponsorPayment` are new.",
      "version/v3-null-reasons": "Reasons are null in place of `N/A`.",
      "version/v3-statuses": "`delayed` is gone; `depositing` and `submitted` are new.",
      "version/v3-pages": "Pages work as in version 2.",
    },
  },
];
