import { expect } from "chai";
import * as entry from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { intent as anIntent, bridgeQuote, native, requestId, token, user } from "./support/samples.ts";

const { amountOf, getChains, getQuote, getSignature, getStatus, HttpError, InvalidParameterError } = entry;

const intent = { ...anIntent, amount: 10n ** 16n };

describe("getQuote", () => {
  const refused: [string, Record<string, unknown>, string][] = [
    ["a negative amount", { amount: -1n }, "amount"],
    ["an amount beyond a uint256", { amount: 2n ** 256n }, "amount"],
    ["an amount that is not a number", { amount: "1e18" }, "amount"],
    ["an amount in floating point", { amount: 0.1 }, "amount"],
    ["a trade type that does not exist", { tradeType: "EXACT" }, "tradeType"],
    ["a chain id that is a string", { originChainId: "31337" }, "originChainId"],
    ["a chain id that is not whole", { destinationChainId: 1.5 }, "destinationChainId"],
    ["no user", { user: undefined }, "user"],
    ["an empty currency", { originCurrency: "" }, "originCurrency"],
    ["a recipient with white space", { recipient: "0x12 34" }, "recipient"],
    ["a call to a short address", { txs: [{ to: "0x1234" }] }, "txs.0.to"],
    ["a call with half a byte", { txs: [{ to: token }, { data: "0x123", to: token }] }, "txs.1.data"],
    ["a call with a negative value", { txs: [{ to: token, value: -1n }] }, "txs.0.value"],
    ["an option of another type", { useExternalLiquidity: "yes" }, "useExternalLiquidity"],
  ];
  for (const [what, fields, parameter] of refused) {
    it(`refuses ${what} and names ${parameter}`, async () => {
      const { calls, client } = fakeService([json(bridgeQuote())]);
      const parameters = { ...intent, ...fields } as entry.GetQuoteParameters;
      const error = await rejectionOf(getQuote(client, parameters));
      expect(error).to.be.instanceOf(InvalidParameterError);
      expect(error).to.have.property("parameter", parameter);
      expect(calls).to.deep.equal([]);
    });
  }

  it("posts decimal strings, whole calls and fields it does not know, and none of its own options", async () => {
    const { calls, client } = fakeService([json(bridgeQuote())]);
    const more = { brandNew: { nested: true } };
    await getQuote(client, {
      ...intent,
      ...more,
      retryCount: 0,
      timeout: 1_000,
      txs: [{ to: token, value: 2n ** 255n }],
    });
    expect(calls[0]).to.deep.include({ method: "POST", pathname: "/quote/v2" });
    expect(calls[0]?.headers.get("content-type")).to.equal("application/json");
    expect(calls[0]?.body).to.deep.equal({
      ...intent,
      ...more,
      amount: "10000000000000000",
      includeProtocolData: true,
      txs: [{ data: "0x", to: token, value: (2n ** 255n).toString() }],
    });
  });

  it("returns the wire as it came, unknown fields included, with exact amounts", async () => {
    const largest = (2n ** 256n - 1n).toString();
    const quote = bridgeQuote();
    const answer = {
      ...quote,
      brandNew: 1,
      details: { ...quote.details, currencyIn: { ...quote.details.currencyIn, amount: largest } },
    };
    const { client } = fakeService([json(answer)]);
    const returned = await getQuote(client, intent);
    expect(returned).to.deep.equal(answer);
    expect(amountOf(returned.details.currencyIn)).to.equal(2n ** 256n - 1n);
  });

  it("refuses an answer whose amount lost its exactness on the way", async () => {
    const quote = bridgeQuote();
    for (const amount of [1e22, "1e22", "0x10", "10.0", (2n ** 256n).toString(), ""]) {
      const currencyIn = { ...quote.details.currencyIn, amount };
      const { client } = fakeService([json({ ...quote, details: { ...quote.details, currencyIn } })]);
      const error = await rejectionOf(getQuote(client, intent));
      expect(error, String(amount)).to.include({
        code: "RESPONSE_INVALID",
        path: "details.currencyIn.amount",
      });
    }
  });

  it("is repeated like a read: it has no side effect", async () => {
    const unavailable = json({ errorCode: "SERVICE_UNAVAILABLE", message: "try later" }, 503);
    const { calls, client } = fakeService([unavailable, json(bridgeQuote())]);
    await getQuote(client, intent);
    expect(calls).to.have.length(2);
    expect(calls[1]?.body).to.deep.equal(calls[0]?.body);
  });

  it("tells having no route from being rate limited", async () => {
    const { client } = fakeService([
      json({ errorCode: "NO_SWAP_ROUTES_FOUND", message: "No routes found" }, 400),
    ]);
    const error = await rejectionOf(getQuote(client, intent));
    expect(error).to.include({ errorCode: "NO_SWAP_ROUTES_FOUND", name: "HttpError", retryable: false });
  });
});

describe("getChains", () => {
  it("reads chains with their contracts", async () => {
    const chain = {
      contracts: { erc20Router: token, v3: { approvalProxy: token, erc20Router: token } },
      currency: {
        address: native,
        decimals: 18,
        id: "eth",
        name: "Ether",
        supportsBridging: true,
        symbol: "ETH",
      },
      displayName: "Local A",
      iconUrl: null,
      id: 31337,
      name: "local-a",
      protocol: { v2: { chainId: "local-a", depository: token } },
      vmType: "evm",
    };
    const { calls, client } = fakeService([json({ chains: [chain] })]);
    expect(await getChains(client)).to.deep.equal({ chains: [chain] });
    expect(calls[0]).to.include({ method: "GET", url: "http://service.test/chains" });
    expect(calls[0]?.headers.has("content-type")).to.equal(false);
  });

  it("lets a virtual machine that is not documented pass", async () => {
    const chain = {
      currency: { address: "x", decimals: 0, name: "X", symbol: "X" },
      displayName: "X",
      id: 9,
      name: "x",
      vmType: "quantum",
    };
    const { client } = fakeService([json({ chains: [chain] })]);
    expect((await getChains(client)).chains[0]?.vmType).to.equal("quantum");
  });
});

describe("getStatus", () => {
  it("refuses anything but 32 bytes before it becomes part of an address", async () => {
    const { calls, client } = fakeService([json({ status: "waiting" })]);
    for (const id of ["", "0x01", `${requestId}00`, "../admin", requestId.slice(2)]) {
      expect(await rejectionOf(getStatus(client, { requestId: id })), id).to.have.property(
        "parameter",
        "requestId",
      );
      expect(await rejectionOf(getSignature(client, { requestId: id })), id).to.have.property(
        "parameter",
        "requestId",
      );
    }
    expect(calls).to.deep.equal([]);
  });

  it("lets statuses and reasons that are not documented pass", async () => {
    const answer = { failReason: "MOON_PHASE", refundFailReason: null, status: "paused", updatedAt: 1 };
    const { client } = fakeService([json(answer)]);
    expect(await getStatus(client, { requestId })).to.deep.equal(answer);
  });
});

describe("getSignature", () => {
  const record = {
    requestData: {
      destinationChainId: 7777777,
      destinationUser: user,
      originAmount: "700000000000000000",
      originChainId: 1,
      originCurrency: native,
      originTransferDestination: token,
      originUser: user,
    },
    signature: `0x${"4c".repeat(65)}`,
  };

  it("reads the signed record of a request", async () => {
    const { calls, client } = fakeService([json(record)]);
    expect(await getSignature(client, { requestId })).to.deep.equal(record);
    expect(calls[0]?.pathname).to.equal(`/requests/${requestId}/signature`);
  });

  it("reports an unknown request with the status and the code of the service", async () => {
    const { client } = fakeService([json({ code: "REQUEST_NOT_FOUND", message: "Request not found" }, 400)]);
    const error = await rejectionOf(getSignature(client, { requestId }));
    expect(error).to.be.instanceOf(HttpError);
    expect(error).to.include({ details: "Request not found", errorCode: "REQUEST_NOT_FOUND", status: 400 });
  });

  it("refuses a signature that cannot be one", async () => {
    for (const signature of ["", "0x", `0x${"4c".repeat(64)}4`, `0x${"4c".repeat(66)}`, 7]) {
      const { client } = fakeService([json({ ...record, signature })]);
      expect(await rejectionOf(getSignature(client, { requestId }))).to.have.property("path", "signature");
    }
  });
});

describe("the entry point of the client", () => {
  it("exports what it promises and nothing else", () => {
    expect(Object.keys(entry).sort()).to.deep.equal([
      "AbortedError",
      "BaseError",
      "HttpError",
      "InvalidParameterError",
      "NetworkError",
      "RateLimitedError",
      "RequestFailedError",
      "ResponseInvalidError",
      "ResponseTooLargeError",
      "TimeoutError",
      "allOf",
      "amountOf",
      "anyOf",
      "authorize",
      "claimAppFees",
      "createClient",
      "createKeyProxy",
      "defaultProxyRoutes",
      "depositAddressTypes",
      "executeGasless",
      "failReasons",
      "fastFill",
      "findIgnoredParameters",
      "getAppFeeBalances",
      "getChainLiquidity",
      "getChains",
      "getConfig",
      "getCurrencies",
      "getDepositAddress",
      "getPrice",
      "getQuote",
      "getRequests",
      "getSignature",
      "getStatus",
      "getSwapSources",
      "getTokenPrice",
      "indexSingleTransaction",
      "indexTransaction",
      "isFinalStatus",
      "isRetryableErrorCode",
      "isSettled",
      "iterateRequestPages",
      "iterateRequests",
      "migrateRequestRecord",
      "minimumAmountOf",
      "not",
      "production",
      "publicRateLimits",
      "reduceStatus",
      "refundFailReasons",
      "reindexDepositAddress",
      "requestFeatures",
      "requestStatuses",
      "requestTypes",
      "serviceErrorCodes",
      "submitPermit",
      "submitSignature",
      "testnet",
      "trackDepositAddress",
      "tradeTypes",
      "vmTypes",
      "waitForRequest",
      "watchRequest",
      "websocketStream",
    ]);
  });
});
