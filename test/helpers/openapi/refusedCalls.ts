import { type Hex, zeroAddress } from "viem";
import { newcomer } from "../requests/requestRun.ts";

type RefusedCall = readonly [status: number, method: string, path: string, body?: unknown];

/** Refused calls of the service's own endpoints, with the status of each. */
export function refusedCalls(chain: number, requestId: Hex): readonly RefusedCall[] {
  const quote = { amount: "1", originChainId: 1, originCurrency: zeroAddress, tradeType: "EXACT_INPUT" };
  const whole = { ...quote, destinationChainId: 2, destinationCurrency: zeroAddress, user: newcomer };
  const unknownHash = `0x${"cd".repeat(32)}`;
  return [
    [400, "POST", "/quote/v2", whole],
    [400, "POST", "/quote", quote],
    [400, "POST", "/price", whole],
    [400, "POST", "/transactions/index", { chainId: 1, txHash: unknownHash }],
    [404, "POST", "/transactions/index", { chainId: chain, requestId: unknownHash, txHash: unknownHash }],
    [400, "POST", "/transactions/single", { chainId: chain, requestId, tx: "not JSON" }],
    [
      404,
      "POST",
      "/transactions/single",
      { chainId: chain, requestId: unknownHash, tx: JSON.stringify({ txHash: unknownHash }) },
    ],
    [400, "POST", "/transactions/index", { chainId: chain, txHash: "0x12" }],
    [404, "POST", "/transactions/index", { chainId: chain, txHash: unknownHash }],
    [400, "POST", "/transactions/single", { chainId: chain, requestId, tx: "{}" }],
    [400, "POST", "/currencies/v2", { limit: -1 }],
    [400, "POST", "/currencies/v1", { limit: "many" }],
    [400, "GET", "/currencies/trending?limit=many"],
    [400, "POST", "/currencies/trending", { limit: 0 }],
    [400, "POST", "/requests/metadata", { additionalMetadata: { moonPayId: "another" }, requestId }],
    [404, "POST", "/requests/metadata", { additionalMetadata: { moonPayId: "x" }, requestId: unknownHash }],
    [404, "GET", `/explorer/${chain}/tx/${unknownHash}`],
    [404, "GET", "/images/currencies/none"],
    [400, "GET", "/chains/liquidity?chainId=1"],
    [400, "GET", "/chains/liquidity"],
    [400, "GET", "/swap-sources?chainId=1"],
    [400, "GET", `/currencies/token/price?address=${newcomer}&chainId=${chain}`],
    [400, "GET", "/currencies/token/price/v2?address=0x&chainId=1"],
    [400, "GET", "/config?originChainId=1&destinationChainId=2"],
    [400, "GET", `/config/v2?originChainId=${chain}&destinationChainId=${chain}&user=nobody`],
    [404, "GET", `/intents/status?requestId=${unknownHash}`],
    [404, "GET", `/intents/status/v2?requestId=${unknownHash}`],
    [404, "GET", `/intents/status/v3?requestId=${unknownHash}`],
    [400, "GET", "/intents/status"],
    [400, "GET", "/intents/status/v2"],
    [400, "GET", "/intents/status/v3"],
    [400, "GET", `/requests/${unknownHash}/signature`],
    [400, "GET", "/requests/nothing/signature/v2"],
    [400, "GET", "/app-fees/nobody/balances"],
    [400, "GET", "/deposit-addresses/v1"],
    [404, "GET", `/deposit-addresses/v1?requestId=${unknownHash}`],
    [404, "POST", "/transactions/deposit-address/reindex", { chainId: chain, depositAddress: newcomer }],
    [404, "POST", "/fast-fill", { requestId: unknownHash }],
    [409, "POST", "/fast-fill", { requestId }],
    [400, "POST", "/fast-fill", {}],
    [400, "POST", "/app-fees/nobody/claim", { chainId: chain, currency: zeroAddress, recipient: newcomer }],
    [
      400,
      "POST",
      `/execute/permits?signature=0x${"11".repeat(65)}`,
      { kind: "permit2", requestId: unknownHash },
    ],
    [400, "POST", "/execute", { executionKind: "rawCalls" }],
    [400, "POST", "/execute/permits", { kind: "permit2", requestId: unknownHash }],
    [400, "GET", "/requests?limit=51"],
    [400, "GET", "/requests/v2?limit=51"],
    [400, "GET", "/requests/v2?referrer=app"],
    [403, "GET", "/requests/v2?apiKey=another"],
    [400, "GET", "/requests/v3?filters=%5B%7B%22features%22%3A%22app_fees%22%7D%5D"],
    [403, "GET", "/requests/v3?apiKey=another"],
  ];
}
