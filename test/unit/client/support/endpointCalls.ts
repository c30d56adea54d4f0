import * as entry from "../../../../src/client/index.ts";
import { claimSteps } from "../../../helpers/appFees/claimSteps.ts";
import { recordV2, recordV3 } from "../../schema/record/support/records.ts";
import { fakeNow } from "./fakeService.ts";
import {
  bridgeQuote,
  ether,
  intent,
  native,
  orderId,
  requestId,
  signature,
  statusAnswer,
  token,
  txHash,
  user,
} from "./samples.ts";

/** An endpoint with parameters that it takes, the request made of them, and an answer that the service may give. */
export type EndpointCall = {
  answer: object;
  /** The body that is sent, as JSON; none unless given. */
  body?: object;
  call: (client: entry.Client, parameters: never) => Promise<unknown>;
  name: string;
  parameters: object;
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Whether a 503 is repeated. */
  safe: boolean;
};

/** A call named by its function, with the requested version; by default it is repeated. */
type Entry = Omit<EndpointCall, "name" | "safe"> & { safe?: false; variant?: string };

const { details, fees, steps } = bridgeQuote();
const gasless = { chainId: 1, data: "0x", to: token, value: 4n };
const mapping = {
  depositor: user,
  id: orderId,
  nonce: 5,
  signatureChainId: 1,
  wallet: user,
  walletChainId: 2,
};
const claim = { chainId: 1, currency: token, recipient: user, wallet: user };
const signedV2 = {
  destinationChainId: 2,
  destinationCurrency: native,
  destinationUser: user,
  originChainId: 1,
  originCurrency: native,
  originUser: user,
};
const signedV1 = {
  destinationChainId: 2,
  destinationUser: user,
  originAmount: "700000000000000000",
  originChainId: 1,
  originCurrency: native,
  originTransferDestination: token,
  originUser: user,
};
const chain = {
  contracts: { erc20Router: token, v3: { approvalProxy: token } },
  currency: { address: native, decimals: 18, name: "Ether", symbol: "ETH" },
  displayName: "Local A",
  id: 31337,
  name: "local-a",
  vmType: "evm",
};
const done = { message: "Success" };

const entries: readonly Entry[] = [
  {
    answer: { message: "Success", steps },
    call: entry.authorize,
    parameters: { ...mapping, signature },
    body: { type: "nonce-mapping", ...mapping },
    path: "/authorize",
    query: { signature },
    safe: false,
  },
  {
    answer: { steps: claimSteps({ ...claim, amount: "3" }, "2", fakeNow) },
    call: entry.claimAppFees,
    parameters: { ...claim, amount: 3n, maximumSeconds: 600, minimumPayout: 2n },
    body: { amount: "3", chainId: 1, currency: token, recipient: user },
    path: `/app-fees/${user}/claim`,
    safe: false,
  },
  {
    answer: { message: "Transaction submitted", requestId },
    call: entry.executeGasless,
    parameters: { data: gasless, executionOptions: { referrer: "app", subsidizeFees: true } },
    body: {
      data: { ...gasless, value: "4" },
      executionKind: "rawCalls",
      executionOptions: { referrer: "app", subsidizeFees: true },
    },
    path: "/execute",
    safe: false,
  },
  {
    answer: done,
    call: entry.fastFill,
    parameters: { maxFillAmountUsd: 5, requestId, solverInputCurrencyAmount: 9n },
    body: { maxFillAmountUsd: 5, requestId, solverInputCurrencyAmount: "9" },
    path: "/fast-fill",
    safe: false,
  },
  {
    answer: { balances: [{ amount: "30754920", currency: ether }], totalBalanceUsd: 30.7 },
    call: entry.getAppFeeBalances,
    parameters: { wallet: user },
    path: `/app-fees/${user}/balances`,
  },
  {
    answer: { liquidity: [{ address: native, balance: "5", chainId: 1, decimals: 18, symbol: "ETH" }] },
    call: entry.getChainLiquidity,
    parameters: { chainId: 1 },
    path: "/chains/liquidity",
    query: { chainId: "1" },
  },
  {
    answer: { chains: [chain] },
    call: entry.getChains,
    parameters: {},
    path: "/chains",
  },
  {
    answer: { enabled: true, fee: "-1", solver: { balance: "1", capacityPerRequest: "1" } },
    call: entry.getConfig,
    parameters: { currency: "eth", destinationChainId: 2, originChainId: 1 },
    path: "/config/v2",
    query: { currency: "eth", destinationChainId: "2", originChainId: "1" },
  },
  {
    answer: [ether],
    call: entry.getCurrencies,
    parameters: { chainIds: [1], limit: 5, term: "eth", version: "v2" },
    body: { chainIds: [1], limit: 5, term: "eth" },
    path: "/currencies/v2",
  },
  {
    answer: [[ether]],
    call: entry.getCurrencies,
    variant: "version 1",
    parameters: { defaultList: true, version: "v1" },
    body: { defaultList: true, limit: 20 },
    path: "/currencies/v1",
  },
  {
    answer: { chainId: 1, createdAt: "2026", depositAddress: user, requestId, type: "open" },
    call: entry.getDepositAddress,
    parameters: { requestId },
    path: "/deposit-addresses/v1",
    query: { requestId },
  },
  {
    answer: { details, fees },
    call: entry.getPrice,
    parameters: { ...intent, txs: [{ data: "0x12", to: token, value: 1n }] },
    body: { ...intent, amount: "1", txs: [{ data: "0x12", to: token, value: "1" }] },
    path: "/price",
  },
  {
    answer: bridgeQuote(),
    call: entry.getQuote,
    parameters: { ...intent, brandNew: { nested: true }, txs: [{ data: "0x12", to: token, value: 1n }] },
    body: {
      ...intent,
      amount: "1",
      brandNew: { nested: true },
      includeProtocolData: true,
      txs: [{ data: "0x12", to: token, value: "1" }],
    },
    path: "/quote/v2",
  },
  {
    answer: { requests: [recordV3()], total: 1 },
    call: entry.getRequests,
    parameters: {
      features: ["fast_fill", "app_fees"],
      filters: [{ "not:status": "failure" }],
      includeTotal: true,
      limit: 50,
    },
    path: "/requests/v3",
    query: {
      features: "fast_fill,app_fees",
      filters: '[{"not:status":"failure"}]',
      includeTotal: "true",
      limit: "50",
    },
  },
  {
    answer: { continuation: "abc", requests: [recordV2()] },
    call: entry.getRequests,
    variant: "version 2",
    parameters: { hash: txHash, originChainId: 31337, version: "v2" },
    path: "/requests/v2",
    query: { hash: txHash, originChainId: "31337" },
  },
  {
    answer: { requestData: signedV1, signature },
    call: entry.getSignature,
    parameters: { requestId, version: "v1" },
    path: `/requests/${requestId}/signature`,
  },
  {
    answer: { requestData: signedV2, signature },
    call: entry.getSignature,
    variant: "version 2",
    parameters: { requestId, version: "v2" },
    path: `/requests/${requestId}/signature/v2`,
  },
  {
    answer: statusAnswer("success"),
    call: entry.getStatus,
    parameters: { requestId, version: "v3" },
    path: "/intents/status/v3",
    query: { requestId },
  },
  {
    answer: { quoteCreatedAt: 1, status: "depositing", time: 2 },
    call: entry.getStatus,
    variant: "version 2",
    parameters: { requestId, version: "v2" },
    path: "/intents/status/v2",
    query: { requestId },
  },
  {
    answer: { status: "fallback", time: 2 },
    call: entry.getStatus,
    variant: "oldest version",
    parameters: { requestId, version: "legacy" },
    path: "/intents/status",
    query: { requestId },
  },
  {
    answer: { sources: ["uniswap"] },
    call: entry.getSwapSources,
    parameters: { chainId: 1 },
    path: "/swap-sources",
    query: { chainId: "1" },
  },
  {
    answer: { price: "0.000000000000000001" },
    call: entry.getTokenPrice,
    parameters: { address: native, chainId: 1 },
    path: "/currencies/token/price/v2",
    query: { address: native, chainId: "1" },
  },
  {
    answer: done,
    call: entry.indexSingleTransaction,
    parameters: { chainId: 31337, requestId, tx: { txHash } },
    body: { chainId: "31337", requestId, tx: `{"txHash":"${txHash}"}` },
    path: "/transactions/single",
  },
  {
    answer: done,
    call: entry.indexTransaction,
    parameters: { chainId: 31337, requestId, txHash },
    body: { chainId: "31337", requestId, txHash },
    path: "/transactions/index",
  },
  {
    answer: {
      checkedCurrencies: 1,
      failedCurrencies: 0,
      triggeredCurrencies: [{ balance: "7", currency: token }],
    },
    call: entry.reindexDepositAddress,
    parameters: { chainId: 1, depositAddress: user },
    body: { chainId: 1, depositAddress: user },
    path: "/transactions/deposit-address/reindex",
    safe: false,
  },
  {
    answer: done,
    call: entry.submitPermit,
    parameters: { kind: "permit2", requestId, signature },
    body: { kind: "permit2", requestId },
    path: "/execute/permits",
    query: { signature },
    safe: false,
  },
  {
    answer: { message: "Success", steps },
    call: entry.submitSignature,
    parameters: { body: { kind: "eip3009" }, endpoint: "/execute/permits", signature },
    body: { kind: "eip3009" },
    path: "/execute/permits",
    query: { signature },
    safe: false,
  },
];

/** Every endpoint of the client, in the order of its exports. */
export const endpointCalls = entries.map(
  ({ safe = true, variant, ...entry }): EndpointCall => ({
    ...entry,
    name: [entry.call.name, ...(variant === undefined ? [] : [variant])].join(", "),
    safe,
  }),
);
