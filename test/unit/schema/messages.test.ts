import { expect } from "chai";
import { configQuerySchema } from "../../../src/schema/chain/config.ts";
import { currenciesRequestSchema } from "../../../src/schema/chain/currencies.ts";
import { claimRequestSchema } from "../../../src/schema/quote/appFees.ts";
import { exchangeRequestSchema, nonceMappingSchema } from "../../../src/schema/quote/exchangeAction.ts";
import { executeErrorSchema, executeRequestSchema } from "../../../src/schema/quote/executeCalls.ts";
import { fastFillRequestSchema } from "../../../src/schema/quote/fastFill.ts";
import { priceRequestSchema } from "../../../src/schema/quote/price.ts";
import { authorizeRequestSchema, permitRequestSchema } from "../../../src/schema/quote/submission.ts";
import { webhookEventSchema } from "../../../src/schema/request/statusUpdate.ts";
import { websocketMessageSchema } from "../../../src/schema/request/websocketMessage.ts";
import {
  codeErrorSchema,
  messageErrorSchema,
  quoteErrorSchema,
  retiringErrorSchema,
} from "../../../src/schema/wire/errorBody.ts";
import { orderId, requestId, statusAnswer, token, user } from "../client/support/samples.ts";
import { keeps, refusesAt } from "./support/schemaChecks.ts";

describe("the messages of webhooks and the websocket", () => {
  const { details, ...update } = statusAnswer("refund");

  it("of a webhook pass with and without the nullable fields", () => {
    const data = { ...update, depositAddress: null, details, referrer: null, requestId };
    keeps(webhookEventSchema, [
      { data, event: "request.status.updated", timestamp: 1 },
      { data: { ...data, details: { revert: "0x" } }, event: "request.moved", timestamp: 1 },
    ]);
    refusesAt(webhookEventSchema, [
      [{ data: { ...data, requestId: "" }, event: "x", timestamp: 1 }, "data.requestId"],
      [{ data, event: "x", timestamp: "1" }, "timestamp"],
      [{ event: "x", timestamp: 1 }, "data"],
    ]);
  });

  it("of a socket's server pass in both forms of an event", () => {
    const event = { data: update, event: "request.status.updated" };
    keeps(websocketMessageSchema, [
      { data: { id: "9nqpzwmwh86" }, status: "ready", type: "connection" },
      { data: { event: event.event, filters: { id: requestId } }, status: "success", type: "subscribe" },
      { data: { event: event.event }, status: "success", type: "unsubscribe" },
      event,
      { data: event },
    ]);
  });
});

describe("the bodies that clients send", () => {
  // @spec perps/authorize-body
  it("of submissions keep what they carry and name what is wrong", () => {
    const permit = { kind: "eip3009", requestId };
    keeps(permitRequestSchema, [permit, { ...permit, api: "swap", kind: "brand-new" }]);
    refusesAt(permitRequestSchema, [
      [{ ...permit, api: "moon" }, "api"],
      [{ kind: "claim" }, "requestId"],
    ]);
    const mapping = {
      depositor: user,
      id: orderId,
      nonce: 1,
      signatureChainId: 1,
      type: "nonce-mapping",
      wallet: user,
      walletChainId: 1337,
    };
    const { depositor: _, ...old } = mapping;
    keeps(authorizeRequestSchema, [mapping, old]);
    refusesAt(authorizeRequestSchema, [
      [{ ...mapping, nonce: -1 }, "nonce"],
      [{ ...mapping, type: "x" }, "type"],
    ]);
    keeps(nonceMappingSchema, [
      { chainId: "hyperliquid", depositor: user, id: orderId, nonce: "1", wallet: user },
    ]);
  });

  it("of gasless calls need calldata, a value and a choice of who pays", () => {
    const call = {
      data: { chainId: 1, data: "0x", to: token, value: "0" },
      executionKind: "rawCalls",
      executionOptions: { referrer: "app", subsidizeFees: true },
    };
    keeps(executeRequestSchema, [call, { ...call, originGasOverhead: 80_000, requestId }]);
    refusesAt(executeRequestSchema, [
      [{ ...call, data: { ...call.data, value: undefined } }, "data.value"],
      [{ ...call, data: { ...call.data, authorizationList: [] } }, "data.authorizationList"],
      [{ ...call, executionOptions: {} }, "executionOptions.subsidizeFees"],
    ]);
    keeps(executeErrorSchema, [
      { error: "to is required" },
      {
        details: {
          innermost: { type: "CALL" },
          path: [],
          revert: { label: "X", message: "reverted", type: "brandNew" },
          topLevel: { type: "CALL" },
        },
        error: "X",
        message: "reverted",
        requestId,
      },
    ]);
  });

  it("of currencies, claims and fast fills are bounded", () => {
    expect(currenciesRequestSchema.parse({})).to.deep.equal({ limit: 20 });
    refusesAt(currenciesRequestSchema, [
      [{ limit: 0 }, "limit"],
      [{ limit: 1_001 }, "limit"],
      [{ tokens: ["usdc"] }, "tokens.0"],
    ]);
    refusesAt(claimRequestSchema, [
      [{ amount: "-1", chainId: 1, currency: token, recipient: user }, "amount"],
    ]);
    refusesAt(fastFillRequestSchema, [[{ maxFillAmountUsd: -1, requestId }, "maxFillAmountUsd"]]);
    refusesAt(configQuerySchema, [[{ destinationChainId: "1", originChainId: "base" }, "originChainId"]]);
    refusesAt(priceRequestSchema, [[{ user }, "originChainId"]]);
  });

  it("to the perps exchange carry decimal text, whole nonces and a split signature", () => {
    const action = {
      amount: "1.5",
      destination: user,
      destinationDex: "",
      fromSubAccount: "",
      hyperliquidChain: "Mainnet",
      nonce: 1,
      signatureChainId: "0x1",
      sourceDex: "",
      token: "USDC:0x00",
      type: "sendAsset",
    };
    const signature = { r: requestId, s: orderId, v: 27 };
    keeps(exchangeRequestSchema, [{ action, nonce: 1, signature }]);
    refusesAt(exchangeRequestSchema, [
      [{ action: { ...action, amount: 1.5 }, nonce: 1, signature }, "action.amount"],
      [{ action, nonce: 1.5, signature }, "nonce"],
      [{ action, nonce: 1, signature: { ...signature, v: 0 } }, "signature.v"],
    ]);
  });
});

describe("the smaller answers", () => {
  it("of errors have one form an endpoint", () => {
    keeps(quoteErrorSchema, [{ errorCode: "NO_QUOTES", message: "No quotes", requestId }]);
    keeps(messageErrorSchema, [{ message: "Too many requests" }]);
    keeps(codeErrorSchema, [{ code: "REQUEST_NOT_FOUND", message: "Request not found" }]);
    keeps(retiringErrorSchema, [{ message: "Too many requests", migrationGuide: "x", successor: "y" }]);
    refusesAt(codeErrorSchema, [[{ errorCode: "X", message: "x" }, "code"]]);
    refusesAt(quoteErrorSchema, [[{ message: "x" }, "errorCode"]]);
  });
});
