/** What clients send: quotes, steps and listings. */
import type { Section } from "../Section.ts";

export const REQUESTS: readonly Section[] = [
  {
    title: "POST /quote/v2",
    statements: {
      "quote-request/user": "`user` is the sender's account.",
      "quote-request/chains": "`originChainId` and `destinationChainId` are numbers.",
      "quote-request/currencies": "`originCurrency` and `destinationCurrency` are an address or a token id.",
      "quote-request/amount": "`amount` is text in smallest units.",
      "quote-request/amount-of-calls": "With calls, `amount` is the sum of their values.",
      "quote-request/trade-type": "`tradeType` is `EXACT_INPUT` or `EXACT_OUTPUT`.",
      "quote-request/recipient": "`recipient` is an account in the destination chain's format.",
      "quote-request/refund-to": "`refundTo` names who gets a refund.",
      "quote-request/protocol-version":
        "`protocolVersion` is `v2`; a withdrawal from the perps exchange must send it.",
      "quote-request/referrer": "`referrer` is optional and comes back in records and webhooks.",
      "quote-request/external-liquidity": "`useExternalLiquidity` is an optional flag.",
      "quote-request/txs": "`txs` are calls on the destination chain: `{ to, value, data }`.",
      "quote-request/max-route-length":
        "`maxRouteLength` is a number that bounds the hops of SVM swap routes.",
      "quote-request/origin-sources":
        "`includedOriginSwapSources` restricts swaps on the origin to the named aggregators.",
      "quote-request/status": "A quote is answered with 200.",
      "quote-request/error": "A refused quote is answered with an error body.",
      "calls/exact-output": "`EXACT_OUTPUT` delivers exactly the output.",
      "calls/exact-input": "`EXACT_INPUT` spends exactly the input, and the output varies.",
      "calls/in-order": "Calls run in order.",
      "calls/approval-first": "A call that spends a token needs an approval earlier in `txs`.",
      "calls/live-balance":
        "A proxy contract that reads its live balance spends an output that varies, after an approval in `txs`.",
      "calls/cleanup-erc20s":
        "`cleanupErc20s` of the router, called in `txs`, moves whole token balances out.",
      "calls/cleanup-native":
        "`cleanupNative` of the router, called in `txs`, moves the whole native balance out.",
      "calls/user-gas": "The user pays the origin's gas of the deposit.",
      "calls/gasless": "With a signature in place of a transaction the user needs no native gas.",
      "calls/gasless-execute": {
        open: "A smart account's calls are submitted without its gas by `POST /execute`.",
      },
      "calls/revalidated": "A quote is checked again when it is filled.",
    },
  },
  {
    title: "Step execution",
    statements: {
      "steps/order": "Steps are carried out in order.",
      "steps/transaction": "The wallet sends `to`, `data` and `value` on `chainId`.",
      "steps/signature":
        "The wallet signs by `signatureKind`; `post.body` goes to `post.endpoint` with the signature in the query.",
      "steps/request-id": "The step's `requestId` tracks the request.",
      "steps/check": "`check.endpoint` is the status address to poll.",
    },
  },
  {
    title: "GET /intents/status/v3",
    statements: {
      "status-request/id": "`requestId` is required.",
      "status-request/interval": "Clients poll at most once a second.",
      "status-request/legacy": "`GET /intents/status?requestId=` answers in a legacy form.",
      "status-request/legacy-check": "A step whose `check.endpoint` has the legacy form is tracked as well.",
    },
  },
  {
    title: "GET /requests/v2",
    statements: {
      "requests-v2/page": "A page is `{ requests, continuation? }`.",
      "requests-v2/key": "`x-api-key` is optional.",
      "requests-v2/limit": "`limit` is 1 to 50, 20 by default.",
      "requests-v2/continuation": "`continuation` takes the cursor of an earlier page.",
      "requests-v2/user": "`user` finds by sender and by recipient.",
      "requests-v2/hash": "`hash` finds by a transaction of the origin or the destination.",
      "requests-v2/chains": "`originChainId` and `destinationChainId` find by chain.",
      "requests-v2/chain-id": "`chainId` finds either direction; a chain of one direction overrides it.",
      "requests-v2/private-chains": "`privateChainsToInclude` is a list with commas between its UUIDs.",
      "requests-v2/id": "`id` finds by request id.",
      "requests-v2/order-id": "`orderId` finds by order id.",
      "requests-v2/include-order-data": "`includeOrderData` is a flag.",
      "requests-v2/timestamps":
        "`startTimestamp` and `endTimestamp` are inclusive unix seconds of the creation.",
      "requests-v2/blocks": "`startBlock` and `endBlock` are inclusive blocks of the origin chain.",
      "requests-v2/referrer": "`referrer` finds by referrer.",
      "requests-v2/deposit-address": "`depositAddress` finds by deposit address.",
      "requests-v2/child-requests":
        "`includeChildRequests` with `id` or `depositAddress` adds duplicates, retries and refunds.",
      "requests-v2/authenticated": "`includeAuthenticatedData` shows fields of the key's own requests alone.",
      "requests-v2/status": "`status` is success, failure, refund, pending or depositing.",
      "requests-v2/api-key": "`apiKey` finds the requests of a key.",
      "requests-v2/sort-by": "`sortBy` is `createdAt`, the default, or `updatedAt`.",
      "requests-v2/sort-direction": "`sortDirection` is `asc` or `desc`.",
    },
  },
  {
    title: "GET /requests/v3",
    statements: {
      "requests-v3/key": "`x-api-key` is required.",
      "requests-v3/and": "Parameters are optional and combined with AND.",
      "requests-v3/page": "A page has a cursor for the next one in `continuation`.",
      "requests-v3/limit": "`limit` is at most 50.",
      "requests-v3/term": "`term` finds by request id, wallet, deposit address and any transaction hash.",
      "requests-v3/ids": "`id` and `orderId` find one request.",
      "requests-v3/tx-hashes": "`depositTxHash`, `fillTxHash` and `refundTxHash` find by transaction.",
      "requests-v3/chains":
        "`originChainId`, `destinationChainId` and `chainId`, either direction, find by chain.",
      "requests-v3/private-chains": "`privateChainsToInclude` is taken.",
      "requests-v3/addresses": "`user`, `depositAddress` and `recipient` find by account.",
      "requests-v3/status": "`status` is success, failure, refund, pending or depositing.",
      "requests-v3/reasons": "`failReason` and `refundFailReason` find by reason.",
      "requests-v3/api-key": "`apiKey` finds the requests of a key.",
      "requests-v3/request-type": "`requestType` finds by kind of intent.",
      "requests-v3/currency-chains":
        "`currencyInChainId` and `currencyOutChainId` find by the currencies' chains.",
      "requests-v3/currency-addresses": "`currencyInAddress` and `currencyOutAddress` find by address.",
      "requests-v3/currency-symbols": "`currencyInSymbol` and `currencyOutSymbol` find by symbol.",
      "requests-v3/timestamps": "`startTimestamp` and `endTimestamp` bound the creation.",
      "requests-v3/blocks": "`startBlock` and `endBlock` bound the origin's block.",
      "requests-v3/amounts": "`amountUsdMin` and `amountUsdMax` bound the worth.",
      "requests-v3/app-fee-amounts": "`appFeesAmountUsdMin` and `appFeesAmountUsdMax` bound the app fees.",
      "requests-v3/fill-time": "`fillTimeMin` and `fillTimeMax` bound the time to the fill.",
      "requests-v3/features": "`features` finds by features.",
      "requests-v3/child-requests": "`includeChildRequests` adds requests that follow from another.",
      "requests-v3/sort-by": "`sortBy` is createdAt, the default, updatedAt or amountUsd.",
      "requests-v3/sort-direction": "`sortDirection` is desc by default for times, asc for amountUsd.",
      "requests-v3/filters": "`filters` is a JSON list of groups: AND within a group, OR between groups.",
      "requests-v3/filters-not": "A key of a group with the prefix `not:` is negated.",
      "requests-v3/filters-list": "A value of a group may be a list, of which one must fit.",
      "requests-v3/filters-fields":
        "Groups take identity, address, chain, currency and status fields; ranges and `features` are top-level.",
      "requests-v3/no-hash": "`hash` and `referrer` are no parameters.",
      "requests-v3/authenticated": "`includeAuthenticatedData` shows the referrer of the key's own requests.",
    },
  },
  {
    title: "Endpoints without shapes",
    statements: {
      "endpoints/execute": { open: "`POST /execute` carries out gasless transactions." },
      "endpoints/permits": "`POST /execute/permits` takes a permit's signature.",
      "endpoints/fast-fill": { open: "`POST /fast-fill` fills a request early." },
      "endpoints/claim-app-fees": { open: "`POST /app-fees/{wallet}/claim` claims app fees." },
      "endpoints/app-fees": "`GET /app-fees/{wallet}/balances` tells what app fees a wallet has.",
      "endpoints/liquidity": "`GET /chains/liquidity` tells what the solver holds.",
      "endpoints/config": "`GET /config/v2` tells whether a route is open and its fee.",
      "endpoints/currencies": "`POST /currencies/v1` and `/currencies/v2` list currencies.",
      "endpoints/legacy-status": "The legacy execution status exists.",
      "endpoints/price": "`POST /price` prices an intent without steps.",
      "endpoints/swap-sources": "`GET /swap-sources` names swap sources.",
      "endpoints/token-price": "`GET /currencies/token/price` tells a token's price.",
      "endpoints/transactions-index": "`POST /transactions/index` takes a deposit's transaction.",
      "endpoints/transactions-single": "`POST /transactions/single` takes a same-chain transaction.",
      "endpoints/reindex": {
        open: "`POST /transactions/deposit-address/reindex` looks for payments to a deposit address.",
      },
      "endpoints/quote-v1": "`POST /quote` is a quote of version 1.",
      "endpoints/requests-page": "The listing page of version 3 exists.",
      "endpoints/client": "The library's client calls each endpoint by its path.",
    },
  },
];
