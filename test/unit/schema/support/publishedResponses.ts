/**
 * Samples in the form of the service's documents of August 2026 and of the specification: their fields, types, nulls and
 * omissions, with values of ours. The name of a sample begins with the page. `test/vectors` has samples to the byte.
 */
import type { ZodMiniType } from "zod/mini";
import { chainsResponseSchema } from "../../../../src/schema/chain/chain.ts";
import { configSchema } from "../../../../src/schema/chain/config.ts";
import { currenciesSchema } from "../../../../src/schema/chain/currencies.ts";
import { appFeeBalancesSchema, claimResponseSchema } from "../../../../src/schema/quote/appFees.ts";
import { executeErrorSchema, executeResponseSchema } from "../../../../src/schema/quote/executeCalls.ts";
import { quoteSchema } from "../../../../src/schema/quote/quote.ts";
import { stepSchema } from "../../../../src/schema/quote/step.ts";
import { requestsV2PageSchema } from "../../../../src/schema/record/requestV2.ts";
import { requestsPageSchema } from "../../../../src/schema/record/requestV3.ts";
import {
  depositAddressRecordSchema,
  reindexResponseSchema,
} from "../../../../src/schema/request/depositAddresses.ts";
import { legacyStatusSchema, statusSchema, statusV2Schema } from "../../../../src/schema/request/status.ts";
import { webhookEventSchema } from "../../../../src/schema/request/statusUpdate.ts";
import { messageSchema } from "../../../../src/schema/request/transactions.ts";
import { websocketMessageSchema } from "../../../../src/schema/request/websocketMessage.ts";
import {
  codeErrorSchema,
  quoteErrorSchema,
  retiringErrorSchema,
} from "../../../../src/schema/wire/errorBody.ts";
import {
  bridgeQuote,
  depository,
  depositStep,
  etherAmount,
  native,
  orderId,
  requestId,
  solver,
  statusAnswer,
  token,
  txHash,
  user,
} from "../../client/support/samples.ts";
import { withdrawalQuote } from "../../perps/support/withdrawal.ts";
import { recordV2, recordV3 } from "../record/support/records.ts";

/** Values by name, of one schema. The name begins with the page. */
export type Samples = readonly [schema: ZodMiniType, values: Readonly<Record<string, unknown>>];

/** A value that a schema refuses, and the field. */
export type Refused = readonly [schema: ZodMiniType, value: unknown, path: string];

/** Pairs a schema with its values. */
function sampled(...samples: Samples): Samples {
  return samples;
}

const check = { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" };
const payment = { chainId: 8453, from: user, to: depository };

/** A step without `requestId` and `depositAddress`, which several samples omit. */
const step = (data: unknown, more: object = {}) => {
  const { depositAddress: _, requestId: __, ...fields } = depositStep();
  return { ...fields, items: [{ check, data, status: "incomplete" }], ...more };
};
const signature = (sign: object, body: object) => ({
  ...step({ post: { body, endpoint: "/execute/permits", method: "POST" }, sign }, { kind: "signature" }),
  id: "authorize",
});
const quote = (data: unknown, more: object = {}) => ({ ...bridgeQuote(), steps: [step(data)], ...more });

const claimStep = signature({ message: requestId, signatureKind: "eip191" }, { kind: "claim", requestId });
const permitStep = signature(
  {
    domain: { chainId: 8453, name: "Permit2", verifyingContract: token },
    primaryType: "PermitWitnessTransferFrom",
    signatureKind: "eip712",
    types: { PermitWitnessTransferFrom: [{ name: "nonce", type: "uint256" }] },
    value: { nonce: "1" },
  },
  { api: "bridge", kind: "permit2", requestId },
);

const paid = { amount: "7001090", amountUsd: "6.999165" };
/** The form of version 2 up to `components`, where the specification ends. */
const sponsorship = {
  capHit: false,
  components: { relay: { selected: true, sponsored: paid, total: paid, userPays: paid } },
  maxSubsidizationAmount: "5000000",
  selectedComponents: ["execution", "swap", "relay", "app", "rent"],
};

const { inTxs } = recordV2().data;
const stateChange = {
  address: user,
  change: { balanceDiff: "-5", data: { tokenAddress: token, tokenKind: "ft" }, kind: "token" },
};
const component = { amount: "1160", amountFormatted: "0.00116", usd: "-0.001160" };
const waiting = {
  ...recordV3().data,
  failedCallData: null,
  failedTxBlockNumber: null,
  failedTxHash: null,
  fees: { actual: null, currency: null, quoted: { execution: component } },
  feeSponsorship: null,
  platformFee: null,
  quoteOraclePrice: null,
  refundCurrencyData: null,
  triggeredByFastFill: null,
};

const currency = { address: native, decimals: 18, id: "eth", name: "Ether", symbol: "ETH" };
const chainToken = {
  ...currency,
  depositFee: 0,
  supportsBridging: true,
  surgeEnabled: false,
  withdrawalFee: 1,
};
const chain = {
  currency: { ...currency, supportsBridging: true },
  displayName: "Optimism",
  erc20Currencies: [chainToken],
  id: 10,
  name: "optimism",
  tokenSupport: "All",
};
const event = "request.status.updated";
const { details: _, ...update } = { ...statusAnswer("refund"), failReason: "DOUBLE_SPEND" };
const webhook = { ...update, depositAddress: null, details: null, referrer: "app", requestId };
const frame = { address: token, error: "execution reverted", selector: "0x12345678", type: "CALL" };
const migration = { migrationGuide: "https://docs.example", successor: "https://api.example/requests/v3" };

/** Answers and messages of the service. */
export const responses: readonly Samples[] = [
  sampled(chainsResponseSchema, {
    "quickstart: protocol name and depository": {
      chains: [{ ...chain, protocol: { v2: { chainId: "optimism", depository } }, vmType: "evm" }],
    },
    "supported routes: no vmType": { chains: [chain, { ...chain, id: 11 }] },
  }),
  sampled(quoteSchema, {
    "bitcoin: a PSBT": quote({ psbt: "70736274ff00" }),
    "bitcoin: transactions of three fields": quote(payment),
    "deposit addresses": quote(payment, { steps: [{ ...depositStep(), depositAddress: user }] }),
    "lighter: an action without typed data": quote({
      action: { parameters: { amount: 1, memo: orderId }, type: "transfer" },
    }),
    "price stabilization": quote(payment, {
      details: { ...bridgeQuote().details, isFixedRate: true },
      feeSponsorship: { quoted: { ...sponsorship, sponsoredTotal: paid, userPaysTotal: paid } },
    }),
    "solana: instructions": quote({ addressLookupTableAddresses: [], instructions: [{}] }),
    "specification: a bridge": bridgeQuote(),
    "specification: a sponsorship without totals": quote(payment, {
      feeSponsorship: { quoted: sponsorship },
    }),
  }),
  sampled(stepSchema, {
    "step execution: a permit": permitStep,
    "step execution: gas as a number": step({ ...payment, data: "0x12", gas: 21_000 }),
  }),
  sampled(claimResponseSchema, {
    "app fees: a claim": { steps: [claimStep] },
    "hyperliquid: authorization and deposit": { steps: withdrawalQuote().steps },
  }),
  sampled(appFeeBalancesSchema, { "app fees": { balances: [etherAmount("1")] } }),
  sampled(statusSchema, {
    bridging: { inTxHashes: [txHash], originChainId: 1, status: "pending", txHashes: [], updatedAt: 1 },
    "production: an object as details": statusAnswer("failure", { details: { label: "PANIC" } }),
    "specification: null as details": statusAnswer("pending"),
  }),
  sampled(statusV2Schema, { "older form": { quoteCreatedAt: 1, status: "depositing", time: 2 } }),
  sampled(legacyStatusSchema, { "oldest form": { status: "fallback", time: 2 } }),
  sampled(requestsV2PageSchema, {
    "deposit addresses": {
      requests: [recordV2({ currencyObject: {}, inTxs: [{ ...inTxs[0], stateChanges: [stateChange] }] })],
    },
    "migration to v3": {
      continuation: "abc",
      deprecation: { ...migration, message: "", sunsetAt: "2026-11-24T00:00:00Z" },
      requests: [recordV2({}, { depositAddress: null, moonpayId: null })],
    },
    "specification: a sponsorship without totals": {
      requests: [recordV2(), recordV2({ feeSponsorship: { quoted: sponsorship } })],
    },
  }),
  sampled(requestsPageSchema, {
    "deposit addresses: superseded": {
      requests: [{ id: requestId, status: "pending", supersededByRequestId: orderId }],
    },
    "migration to v3": {
      continuation: "abc",
      requests: [recordV3(), recordV3({ data: waiting, refundTo: null }), recordV3({ data: null })],
      total: 3,
    },
  }),
  sampled(webhookEventSchema, {
    webhooks: { data: webhook, event, timestamp: 1_780_000_000_000 },
    "webhooks: a deposit address": {
      data: {
        ...{ ...webhook, referrer: null },
        depositAddress: { address: user, depositAddressType: "open", depositor: null, depositTxHash: null },
      },
      event,
      timestamp: 1_780_000_000_000,
    },
  }),
  sampled(websocketMessageSchema, {
    "websockets: an event": { data: update, event },
    "websockets: an event inside data": { data: { data: update, event } },
    "websockets: ready": { data: { id: "9nqpzwmwh86" }, status: "ready", type: "connection" },
    "websockets: subscribed, with the page's slip": {
      data: { event: "equest.status.updated", filters: { id: requestId } },
      status: "success",
      type: "subscribe",
    },
    "websockets: unsubscribed": { data: { event }, status: "success", type: "unsubscribe" },
  }),
  sampled(quoteErrorSchema, {
    "handling errors": { errorCode: "NO_SWAP_ROUTES_FOUND", message: "No routes found" },
    "troubleshooting: a failed call": {
      approxSimulatedBlock: 7,
      errorCode: "DESTINATION_TX_FAILED",
      errorData: "execution reverted",
      failedCallData: { data: "0x12", from: solver, to: depository, value: "0" },
      message: "Destination transaction failed",
    },
  }),
  sampled(codeErrorSchema, { "client types": { code: "REQUEST_NOT_FOUND", message: "Request not found" } }),
  sampled(retiringErrorSchema, { "migration to v3": { ...migration, message: "Too many requests" } }),
  sampled(executeResponseSchema, { "gasless execution": { message: "Transaction submitted", requestId } }),
  sampled(executeErrorSchema, {
    "gasless execution: a reverted simulation": {
      details: {
        innermost: frame,
        path: [{ contract: "Multicall3", function: "Multicall3.aggregate3Value", type: "CALL" }, frame],
        revert: { label: "INVALID_SIGNATURE", message: "Invalid signature", type: "customError" },
        topLevel: frame,
      },
      error: "INVALID_SIGNATURE",
      message: "Invalid signature",
      requestId,
    },
  }),
  sampled(messageSchema, { "transaction indexing": { message: "Success" } }),
  sampled(reindexResponseSchema, {
    "deposit addresses": {
      checkedCurrencies: 3,
      failedCurrencies: 0,
      triggeredCurrencies: [{ balance: "1", currency: token, symbol: "USDC" }],
    },
  }),
  sampled(depositAddressRecordSchema, {
    "client types": {
      chainId: 1,
      createdAt: "",
      depositAddress: user,
      refundTo: null,
      requestId,
      type: "open",
    },
  }),
  sampled(configSchema, {
    "client types": {
      enabled: true,
      fee: "1",
      solver: { address: solver, balance: "1", capacityPerRequest: "1" },
      user: { balance: "0", maxBridgeAmount: "0" },
    },
  }),
  sampled(currenciesSchema, { "client types": [{ ...etherAmount("1").currency, vmType: "evm" }] }),
];

/** Responses that stay refused, with the path of the field: see `docs/reference/conformance.md`. */
export const refusedResponses: readonly Refused[] = [
  [stepSchema, step({ ...payment, data: "0x095ea7b3..." }), "items.0.data.data"],
  [
    quoteSchema,
    quote(payment, { details: { ...bridgeQuote().details, sender: undefined } }),
    "details.sender",
  ],
  [quoteSchema, { balances: {}, breakdown: {}, fees: {}, steps: [] }, "details"],
  [
    requestsV2PageSchema,
    { requests: [recordV2({ feeSponsorship: { quoted: { ...sponsorship, components: { relay: "…" } } } })] },
    "requests.0.data.feeSponsorship.quoted.components.relay",
  ],
];
