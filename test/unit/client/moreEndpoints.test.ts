import { expect } from "chai";
import {
  authorize,
  type Client,
  claimAppFees,
  executeGasless,
  fastFill,
  getAppFeeBalances,
  getChainLiquidity,
  getConfig,
  getCurrencies,
  getDepositAddress,
  getPrice,
  getRequests,
  getSignature,
  getStatus,
  getSwapSources,
  getTokenPrice,
  indexSingleTransaction,
  indexTransaction,
  reindexDepositAddress,
  submitPermit,
} from "../../../src/client/index.ts";
import { recordV2, recordV3 } from "../schema/support/records.ts";
import { type FakeService, fakeService, json, rejectionOf } from "./support/fakeService.ts";
import {
  bridgeQuote,
  intent,
  native,
  orderId,
  requestId,
  signature,
  token,
  txHash,
  user,
} from "./support/samples.ts";

type Case = {
  /** What the service answers, and the function returns. */
  answer: unknown;
  body?: unknown;
  call: (client: Client) => Promise<unknown>;
  name: string;
  path: string;
  query?: Record<string, string>;
  /** Whether a 503 is repeated. */
  safe: boolean;
};

const { fees, details } = bridgeQuote();
const mapping = {
  depositor: user,
  id: orderId,
  nonce: 5,
  signatureChainId: 1,
  wallet: user,
  walletChainId: 1337,
} as const;
const requestData = {
  destinationChainId: 2,
  destinationCurrency: native,
  destinationUser: user,
  originChainId: 1,
  originCurrency: native,
  originUser: user,
};

const cases: Case[] = [
  {
    answer: { details, fees },
    body: { ...intent, amount: "1" },
    call: (client) => getPrice(client, intent),
    name: "getPrice",
    path: "/price",
    safe: true,
  },
  {
    answer: { requests: [recordV3()], total: 1 },
    call: (client) =>
      getRequests(client, {
        features: ["fast_fill", "app_fees"],
        filters: [{ "not:status": "failure" }],
        includeTotal: true,
        limit: 50,
      }),
    name: "getRequests",
    path: "/requests/v3",
    query: {
      features: "fast_fill,app_fees",
      filters: '[{"not:status":"failure"}]',
      includeTotal: "true",
      limit: "50",
    },
    safe: true,
  },
  {
    answer: { continuation: "abc", requests: [recordV2()] },
    call: (client) => getRequests(client, { hash: txHash, originChainId: 31337, version: "v2" }),
    name: "getRequests, version 2,",
    path: "/requests/v2",
    query: { hash: txHash, originChainId: "31337" },
    safe: true,
  },
  {
    answer: { quoteCreatedAt: 1, status: "depositing", time: 2 },
    call: (client) => getStatus(client, { requestId, version: "v2" }),
    name: "getStatus, version 2,",
    path: "/intents/status/v2",
    query: { requestId },
    safe: true,
  },
  {
    answer: { status: "fallback", time: 2 },
    call: (client) => getStatus(client, { requestId, version: "legacy" }),
    name: "getStatus, oldest version,",
    path: "/intents/status",
    query: { requestId },
    safe: true,
  },
  {
    answer: { requestData, signature },
    call: (client) => getSignature(client, { requestId, version: "v2" }),
    name: "getSignature, version 2,",
    path: `/requests/${requestId}/signature/v2`,
    safe: true,
  },
  {
    answer: [{ address: native, chainId: 1, decimals: 18, name: "Ether", symbol: "ETH", vmType: "evm" }],
    body: { chainIds: [1], limit: 5, term: "eth" },
    call: (client) => getCurrencies(client, { chainIds: [1], limit: 5, term: "eth" }),
    name: "getCurrencies",
    path: "/currencies/v2",
    safe: true,
  },
  {
    answer: [[{ address: native, chainId: 1, decimals: 18, groupID: "eth", name: "Ether", symbol: "ETH" }]],
    body: { defaultList: true, limit: 20 },
    call: (client) => getCurrencies(client, { defaultList: true, version: "v1" }),
    name: "getCurrencies, version 1,",
    path: "/currencies/v1",
    safe: true,
  },
  {
    answer: { enabled: true, solver: { balance: "1", capacityPerRequest: "1" } },
    call: (client) => getConfig(client, { currency: "eth", destinationChainId: 2, originChainId: 1 }),
    name: "getConfig",
    path: "/config/v2",
    query: { currency: "eth", destinationChainId: "2", originChainId: "1" },
    safe: true,
  },
  {
    answer: { liquidity: [{ address: native, balance: "5", chainId: 1, decimals: 18, symbol: "ETH" }] },
    call: (client) => getChainLiquidity(client, { chainId: 1 }),
    name: "getChainLiquidity",
    path: "/chains/liquidity",
    query: { chainId: "1" },
    safe: true,
  },
  {
    answer: { sources: ["uniswap"] },
    call: (client) => getSwapSources(client, { chainId: 1 }),
    name: "getSwapSources",
    path: "/swap-sources",
    query: { chainId: "1" },
    safe: true,
  },
  {
    answer: { price: "0.000000000000000001" },
    call: (client) => getTokenPrice(client, { address: native, chainId: 1 }),
    name: "getTokenPrice",
    path: "/currencies/token/price/v2",
    query: { address: native, chainId: "1" },
    safe: true,
  },
  {
    answer: { chainId: 1, createdAt: "2026", depositAddress: user, requestId, type: "open" },
    call: (client) => getDepositAddress(client, { requestId }),
    name: "getDepositAddress",
    path: "/deposit-addresses/v1",
    query: { requestId },
    safe: true,
  },
  {
    answer: { message: "Success" },
    body: { chainId: "31337", requestId, txHash },
    call: (client) => indexTransaction(client, { chainId: 31337, requestId, txHash }),
    name: "indexTransaction",
    path: "/transactions/index",
    safe: true,
  },
  {
    answer: { message: "Success" },
    body: { chainId: "31337", requestId, tx: `{"txHash":"${txHash}"}` },
    call: (client) => indexSingleTransaction(client, { chainId: 31337, requestId, tx: { txHash } }),
    name: "indexSingleTransaction",
    path: "/transactions/single",
    safe: true,
  },
  {
    answer: {
      checkedCurrencies: 1,
      failedCurrencies: 0,
      triggeredCurrencies: [{ balance: "7", currency: token }],
    },
    body: { chainId: 1, depositAddress: user },
    call: (client) => reindexDepositAddress(client, { chainId: 1, depositAddress: user }),
    name: "reindexDepositAddress",
    path: "/transactions/deposit-address/reindex",
    safe: false,
  },
  {
    answer: { message: "queued" },
    body: { maxFillAmountUsd: 5, requestId, solverInputCurrencyAmount: "9" },
    call: (client) => fastFill(client, { maxFillAmountUsd: 5, requestId, solverInputCurrencyAmount: 9n }),
    name: "fastFill",
    path: "/fast-fill",
    safe: false,
  },
  {
    answer: { balances: [{ amount: "30754920" }], totalBalanceUsd: 30.7 },
    call: (client) => getAppFeeBalances(client, { wallet: user }),
    name: "getAppFeeBalances",
    path: `/app-fees/${user}/balances`,
    safe: true,
  },
  {
    answer: { steps: [] },
    body: { amount: "3", chainId: 1, currency: token, recipient: user },
    call: (client) =>
      claimAppFees(client, { amount: 3n, chainId: 1, currency: token, recipient: user, wallet: user }),
    name: "claimAppFees",
    path: `/app-fees/${user}/claim`,
    safe: false,
  },
  {
    answer: { message: "Transaction submitted", requestId },
    body: {
      data: { chainId: 1, data: "0x", to: token, value: "4" },
      executionKind: "rawCalls",
      executionOptions: { referrer: "app", subsidizeFees: true },
    },
    call: (client) =>
      executeGasless(client, {
        data: { chainId: 1, data: "0x", to: token, value: 4n },
        executionOptions: { referrer: "app", subsidizeFees: true },
      }),
    name: "executeGasless",
    path: "/execute",
    safe: false,
  },
  {
    answer: { message: "Success" },
    body: { kind: "permit2", requestId },
    call: (client) => submitPermit(client, { kind: "permit2", requestId, signature }),
    name: "submitPermit",
    path: "/execute/permits",
    query: { signature },
    safe: false,
  },
  {
    answer: {},
    body: { type: "nonce-mapping", ...mapping },
    call: (client) => authorize(client, { ...mapping, signature }),
    name: "authorize",
    path: "/authorize",
    query: { signature },
    safe: false,
  },
];

describe("the endpoints of the service", () => {
  for (const { answer, body, call, name, path, query = {}, safe } of cases) {
    it(`${name} calls ${path} and returns the answer as it came`, async () => {
      const { calls, client } = fakeService([json(answer)]);
      expect(await call(client)).to.deep.equal(answer);
      expect(calls[0]).to.deep.include({ body, pathname: path, query });
    });

    it(`${name} is ${safe ? "" : "never "}repeated after a 503`, async () => {
      const { calls, client } = fakeService([json({}, 503), json(answer)]);
      if (safe) expect(await call(client)).to.deep.equal(answer);
      else expect(await rejectionOf(call(client))).to.include({ retryable: false, status: 503 });
      expect(calls).to.have.length(safe ? 2 : 1);
    });

    it(`${name} refuses an answer of another shape`, async () => {
      const { client } = fakeService([json("nonsense")]);
      expect(await rejectionOf(call(client))).to.have.property("code", "RESPONSE_INVALID");
    });
  }

  const refused: [string, (client: Client) => Promise<unknown>, string][] = [
    ["a page of 51 requests", (client) => getRequests(client, { limit: 51 }), "limit"],
    ["a status that no listing has", (client) => getRequests(client, { status: "moon" as never }), "status"],
    [
      "a filter of a range in a group",
      (client) => getRequests(client, { filters: [{ startBlock: 1 } as never] }),
      "filters.0",
    ],
    [
      "a permit of an unknown api",
      (client) => submitPermit(client, { api: "x" as never, kind: "claim", requestId, signature }),
      "api",
    ],
    [
      "a permit without a signature",
      (client) => submitPermit(client, { kind: "claim", requestId, signature: "0x" }),
      "signature",
    ],
    ["a negative nonce", (client) => authorize(client, { ...mapping, nonce: -1, signature }), "nonce"],
    ["no wallet", (client) => getAppFeeBalances(client, { wallet: "" }), "wallet"],
    ["a wallet that is a path", (client) => getAppFeeBalances(client, { wallet: ".." }), "wallet"],
    [
      "a field that JSON cannot carry",
      (client) => getPrice(client, { ...intent, ...{ brandNew: 1n } }),
      "body.brandNew",
    ],
    [
      "a claim of less than nothing",
      (client) =>
        claimAppFees(client, { amount: -1n, chainId: 1, currency: token, recipient: user, wallet: user }),
      "amount",
    ],
    [
      "a gasless call without data",
      (client) => executeGasless(client, { executionOptions: { subsidizeFees: true } } as never),
      "data.chainId",
    ],
    [
      "a deposit address by two names",
      (client) => getDepositAddress(client, { address: user, requestId }),
      "address",
    ],
    [
      "a version of the status that does not exist",
      (client) => getStatus(client, { requestId, version: "v9" as never }),
      "version",
    ],
    [
      "a version of the record that does not exist",
      (client) => getSignature(client, { requestId, version: "toString" as never }),
      "version",
    ],
    [
      "a version of the currencies that does not exist",
      (client) => getCurrencies(client, { version: "v3" as never }),
      "version",
    ],
    ["a chain id that is not whole", (client) => getChainLiquidity(client, { chainId: 1.5 }), "chainId"],
    [
      "a transaction without a hash",
      (client) => indexTransaction(client, { chainId: 1, txHash: "" }),
      "txHash",
    ],
  ];
  for (const [what, call, parameter] of refused) {
    it(`refuse ${what} before anything is sent`, async () => {
      const { calls, client }: FakeService = fakeService([json({})]);
      expect(await rejectionOf(call(client))).to.include({ code: "INVALID_PARAMETER", parameter });
      expect(calls).to.deep.equal([]);
    });
  }

  it("escape a wallet that is no EVM address in the path", async () => {
    const { calls, client } = fakeService([json({ balances: [] })]);
    await getAppFeeBalances(client, { wallet: "../../admin?x=#" });
    expect(calls[0]?.pathname).to.equal("/app-fees/..%2F..%2Fadmin%3Fx%3D%23/balances");
  });

  it("tell why a gasless call would revert", async () => {
    const revert = {
      innermost: { type: "CALL" },
      path: [],
      revert: { label: "X", message: "m", type: "panic" },
    };
    const body = { details: revert, error: "DELEGATION_REDEEM_FAILED", message: "It reverted", requestId };
    const { client } = fakeService([json(body, 400)]);
    const call = cases.find(({ name }) => name === "executeGasless")?.call;
    const error = await rejectionOf(call?.(client) ?? Promise.resolve());
    expect(error).to.include({
      details: "It reverted",
      errorCode: "DELEGATION_REDEEM_FAILED",
      requestId,
      status: 400,
    });
    expect(error).to.have.deep.property("errorData", revert);
  });
});
