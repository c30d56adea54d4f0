/** Chains, currencies, amounts, quotes and statuses. */
import type { Sections } from "../Section.ts";

export const RESOURCES: Sections = {
  Service: {
    "service/intents":
      "An intent is a bridge, a swap on one chain or across chains, a send, a wrap, an unwrap or a call.",
    "service/flow":
      "A client quotes, carries out the steps with the user's wallet, and tracks the request to its end.",
    "service/fill": "A solver finds the deposit at the deposit contract and fills on the destination chain.",
    "service/addresses": "Production and testnet have an address each.",
    "service/json": "Bodies are JSON.",
    "service/amounts": "Amounts are text in smallest units.",
    "service/failed-fill": "A request whose fill cannot be completed ends in `failure` or `refund`.",
    "service/request-id": "`requestId` is a 32-byte hex string; status, webhooks and most endpoints take it.",
    "service/order-id": "`orderId` is a bytes32 that the deposit contract takes and emits.",
  },
  "Chain record": {
    "chain/list": "`GET /chains` answers `{ chains }` and needs no parameter.",
    "chain/id": "`id` is a number, one for each chain.",
    "chain/names": "`name` and `displayName` are text.",
    "chain/urls": "`httpRpcUrl`, `wsRpcUrl`, `explorerUrl`, `explorerName` and `iconUrl` are text.",
    "chain/deposit-enabled": "`depositEnabled` is true if the chain takes deposits.",
    "chain/token-support": "`tokenSupport` is text.",
    "chain/disabled": "`disabled` is true while an incident closes the chain.",
    "chain/partial-disable-limit": "`partialDisableLimit` is a number.",
    "chain/lagging": "`blockProductionLagging` is true while the chain's performance is degraded.",
    "chain/currency": "`currency` is `{ id, symbol, name, address, decimals, supportsBridging }`.",
    "chain/fees": "`withdrawalFee`, `depositFee` and `surgeEnabled` are given for the chain.",
    "chain/featured-tokens": "`featuredTokens` are currencies with `metadata.logoURI`.",
    "chain/erc20-currencies":
      "`erc20Currencies` are currencies with their own `withdrawalFee`, `depositFee` and `surgeEnabled`.",
    "chain/solver-currencies": "`solverCurrencies` are `{ id, symbol, name, address, decimals }`.",
    "chain/contracts":
      "`contracts` names `multicall3`, receiver, routers and approval proxies, also those of `v3`.",
    "chain/multicallers": "`contracts` names `multicaller` and `onlyOwnerMulticaller`.",
    "chain/vm-type": "`vmType` names the virtual machine.",
    "chain/base-chain-id": "`baseChainId` is a number.",
    "chain/solver-addresses": "`solverAddresses` lists the solver's accounts.",
    "chain/tags": "`tags` is a list.",
    "chain/protocol": "`protocol.v2` names the protocol's id of the chain and the depository.",
  },
  "Currency and amount": {
    "currency/fields": "A currency is `{ chainId, address, symbol, name, decimals, metadata }`.",
    "currency/metadata": "`metadata` is `{ logoURI, verified, isNative }`.",
    "currency/native": "The native currency of an EVM chain is the zero address.",
    "amount/units": "`amount` is text in smallest units, `amountFormatted` its decimal form.",
    "amount/usd": "`amountUsd` is text in dollars.",
    "amount/minimum": "`minimumAmount` is the least amount in smallest units.",
    "amount/usd-current": "In request records an amount may have `amountUsdCurrent`.",
  },
  "Quote response": {
    "quote/shape": "A quote is `{ steps, fees, details, protocol }`.",
    "quote/fees":
      "`fees` has an amount for each of `gas`, `relayer`, `relayerGas`, `relayerService`, `app` and `subsidized`.",
    "quote/protocol": "`protocol.v2` is `{ orderId, orderData, paymentDetails }`.",
    "quote/payment-details": "`paymentDetails` is `{ chainId, depository, currency, amount }`.",
    "quote/operation": "`details.operation` names what the intent does, such as `bridge` or `swap`.",
    "quote/parties": "`details.sender` and `details.recipient` are the intent's accounts.",
    "quote/currencies": "`details.currencyIn`, `currencyOut` and `refundCurrency` are amounts.",
    "quote/impact": "`totalImpact` and `swapImpact` are `{ usd, percent }`.",
    "quote/expanded-impact": "`expandedPriceImpact` has `{ usd }` for swap, execution, the service and app.",
    "quote/rate": "`rate` is decimal text.",
    "quote/slippage": "`slippageTolerance` has `{ usd, value, percent }` for origin and destination.",
    "quote/time-estimate": "`timeEstimate` is a number.",
    "quote/user-balance": "`userBalance` is text.",
    "quote/fixed-rate": "`isFixedRate` is a boolean.",
    "quote/route": "`route` has `inputCurrency`, `outputCurrency` and `router` for origin and destination.",
    "step/fields": "A step is `{ id, action, description, kind, requestId, items, depositAddress }`.",
    "step/ids": "Ids of steps are such as `approve`, `deposit` and `authorize`.",
    "step/kind": "`kind` is `transaction` or `signature`.",
    "step/deposit-address": "`depositAddress` is empty text when unused.",
    "step/item":
      "An item has `status`, `data`, and where its effect is tracked `check { endpoint, method: GET }`.",
    "step/incomplete": "Items of a quote have the status `incomplete`.",
    "step/transaction": "A transaction item has `from`, `to`, `data`, `value` and the number `chainId`.",
    "step/gas": "A transaction item may have `gas`, `maxFeePerGas` and `maxPriorityFeePerGas` as text.",
    "step/approval": "An approval is a step of its own before the deposit.",
    "step/approval-fields":
      "An approval item has `from`, `to` and `chainId`; here it has calldata too, because nothing is approved without.",
    "step/signature":
      "A signature item has `sign { signatureKind, domain, types, value, primaryType }` and `post { endpoint, method, body }`.",
    "step/exchange":
      "A deposit from the perps exchange has `action { type, parameters }`, `nonce`, `eip712Types` and `eip712PrimaryType`.",
    "order/head": "Order data have `version`, `solverChainId`, `solver` and `salt`.",
    "order/inputs": "An input has `payment { chainId, currency, amount, weight }`.",
    "order/refunds":
      "An input's `refunds` have `chainId`, `recipient`, `currency`, `minimumAmount`, `deadline` in unix seconds, and `extraData`.",
    "order/output":
      "`output` has `chainId`, `payments { recipient, currency, minimumAmount, expectedAmount }`, `deadline` and `extraData`.",
    "order/calls": "`output.calls` are hex strings.",
    "order/fees": "`fees` is a list.",
    "order/id": "`orderId` is the hash of the order data.",
  },
  "Status response": {
    "status/fields":
      "A status is `{ status, inTxHashes, txHashes, updatedAt, originChainId, destinationChainId }`.",
    "status/updated-at": "`updatedAt` is in unix milliseconds.",
    "status/reasons": "`details`, `failReason` and `refundFailReason` mean what they mean in webhooks.",
    "status/deposit-address": "`depositAddress` is there for requests paid through a deposit address.",
  },
};
