/** Bodies in the form of the service's documents; see `publishedResponses.ts`. */
import { claimRequestSchema } from "../../../../src/schema/quote/appFees.ts";
import { executeRequestSchema } from "../../../../src/schema/quote/executeCalls.ts";
import { fastFillRequestSchema } from "../../../../src/schema/quote/fastFill.ts";
import { quoteRequestSchema } from "../../../../src/schema/quote/quoteRequest.ts";
import { authorizeRequestSchema, permitRequestSchema } from "../../../../src/schema/quote/submission.ts";
import { reindexRequestSchema } from "../../../../src/schema/request/depositAddresses.ts";
import {
  indexTransactionRequestSchema,
  singleTransactionRequestSchema,
} from "../../../../src/schema/request/transactions.ts";
import { native, orderId, requestId, token, txHash, user } from "../../client/support/samples.ts";
import type { Refused, Samples } from "./publishedResponses.ts";

export const svm = {
  chain: 792_703_809,
  native: "So11111111111111111111111111111111111111112",
  payer: "cGfHiC6Kgg3FpFZvgwGcswsCRtp4aBP2fzuXRQPizuN",
  usdc: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  user: "US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx",
};
const bitcoin = {
  chain: 8_253_038,
  coin: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8",
  user: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
};
const bridge = {
  ...{ amount: "100000000000000000", recipient: user, tradeType: "EXACT_INPUT", user },
  ...{ destinationChainId: 10, destinationCurrency: native, originChainId: 8453, originCurrency: native },
};
const from = (chainId: number, originCurrency: string, account: string) => ({
  ...bridge,
  amount: "1000000000",
  originChainId: chainId,
  originCurrency,
  user: account,
});
const to = (chainId: number, destinationCurrency: string, recipient: string) => ({
  ...bridge,
  destinationChainId: chainId,
  destinationCurrency,
  recipient,
});
const fromBitcoin = from(bitcoin.chain, bitcoin.coin, bitcoin.user);
const execution = { data: { chainId: 8453, data: "0x", to: user, value: "0" }, executionKind: "rawCalls" };

/** Bodies of `POST /quote/v2`, by page. */
export const quoteBodies = {
  "bitcoin: by a deposit address": { ...fromBitcoin, refundTo: bitcoin.user, useDepositAddress: true },
  "bitcoin: from it": fromBitcoin,
  "bitcoin: to it": to(bitcoin.chain, bitcoin.coin, bitcoin.user),
  "bridging: a fixed output": { ...bridge, tradeType: "EXACT_OUTPUT" },
  calling: {
    ...{ ...bridge, tradeType: "EXACT_OUTPUT" },
    txs: [{ data: "0xd0e30db0", to: token, value: bridge.amount }],
  },
  "deposit addresses: open": { ...bridge, refundTo: user, useDepositAddress: true },
  "deposit addresses: strict": { ...bridge, refundTo: user, strict: true, useDepositAddress: true },
  "fee sponsorship": { ...bridge, maxSubsidizationAmount: "5000000", subsidizeFees: true },
  "fee sponsorship: a fee payer": { ...from(svm.chain, svm.usdc, svm.user), depositFeePayer: svm.payer },
  "fee sponsorship: rent": { ...to(svm.chain, svm.usdc, svm.user), subsidizeFees: true, subsidizeRent: true },
  "gasless execution: originGasOverhead as text": { ...bridge, originGasOverhead: "300000" },
  "gasless swaps: originGasOverhead as a number": { ...bridge, originGasOverhead: 80_000 },
  hyperliquid: { ...from(1337, `0x${"0".repeat(32)}`, user), protocolVersion: "v2", refundTo: user },
  "input validation": { ...bridge, referrer: "relay.link/swap", useExternalLiquidity: false },
  "lighter: from it": from(3_586_256, "0", "7"),
  "lighter: to it": to(3_586_256, "0", "7"),
  "price stabilization": { ...bridge, fixedRate: "1:1", subsidizeFees: true },
  refunds: { ...bridge, referrer: "debug-force-refund" },
  "solana: on one chain": {
    ...from(svm.chain, svm.usdc, svm.user),
    destinationChainId: svm.chain,
    destinationCurrency: svm.native,
    includedOriginSwapSources: ["jupiter"],
    recipient: svm.user,
  },
  "solana: to it": to(svm.chain, svm.usdc, svm.user),
};

/** Bodies of requests. */
export const bodies: readonly Samples[] = [
  [quoteRequestSchema, quoteBodies],
  [claimRequestSchema, { "app fees": { chainId: 8453, currency: native, recipient: user } }],
  [
    permitRequestSchema,
    {
      "app fees: another kind": { kind: "request", requestId },
      "step execution": { api: "bridge", kind: "permit2", requestId },
    },
  ],
  [
    executeRequestSchema,
    {
      "client types": {
        ...execution,
        executionOptions: { referrer: "app", subsidizeFees: false },
        originGasOverhead: "80000",
        requestId,
      },
    },
  ],
  [
    authorizeRequestSchema,
    {
      hyperliquid: {
        ...{ depositor: user, id: orderId, nonce: 1_780_000_000_000, signatureChainId: 1 },
        ...{ type: "nonce-mapping", wallet: user, walletChainId: 1337 },
      },
    },
  ],
  [
    indexTransactionRequestSchema,
    { "client types": { chainId: "8453", txHash }, "transaction indexing": { chainId: 8453, txHash } },
  ],
  [
    singleTransactionRequestSchema,
    { "transaction indexing": { chainId: "137", requestId, tx: JSON.stringify({ txHash }) } },
  ],
  [
    reindexRequestSchema,
    {
      "deposit addresses": { chainId: 8453, depositAddress: user },
      "deposit addresses: another chain": {
        ...{ chainId: 42_161, currency: token, depositAddress: user, targetChainId: 1 },
      },
    },
  ],
  [
    fastFillRequestSchema,
    {
      "fast fill": { requestId },
      "fast fill: limits": { maxFillAmountUsd: 10, requestId, solverInputCurrencyAmount: "1" },
    },
  ],
];

/** Bodies that stay refused, with the path of the field: see `docs/reference/conformance.md`. */
export const refusedBodies: readonly Refused[] = [
  [quoteRequestSchema, { ...bridge, txs: [{ data: "0x", to: user, value: 0 }] }, "txs.0.value"],
  [quoteRequestSchema, { ...bridge, txs: [{ data: "execute()", to: user, value: "0" }] }, "txs.0.data"],
  [executeRequestSchema, execution, "executionOptions"],
  [executeRequestSchema, { ...execution, executionOptions: {} }, "executionOptions.subsidizeFees"],
];
