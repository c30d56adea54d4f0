import * as entry from "../../../../src/client/index.ts";
import { recordV2, recordV3 } from "../../schema/support/records.ts";
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

/** One endpoint, with parameters that it takes and an answer that the service may give. */
export type EndpointCall = {
  answer: object;
  call: (client: entry.Client, parameters: never) => Promise<unknown>;
  name: string;
  parameters: object;
};

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

/** Every endpoint of the client, in the order of its exports. */
export const endpointCalls: readonly EndpointCall[] = [
  {
    answer: { message: "Success", steps },
    call: entry.authorize,
    name: "authorize",
    parameters: { ...mapping, signature },
  },
  {
    answer: { steps },
    call: entry.claimAppFees,
    name: "claimAppFees",
    parameters: { amount: 3n, chainId: 1, currency: token, recipient: user, wallet: user },
  },
  {
    answer: { message: "Transaction submitted", requestId },
    call: entry.executeGasless,
    name: "executeGasless",
    parameters: { data: gasless, executionOptions: { referrer: "app", subsidizeFees: true } },
  },
  {
    answer: done,
    call: entry.fastFill,
    name: "fastFill",
    parameters: { maxFillAmountUsd: 5, requestId, solverInputCurrencyAmount: 9n },
  },
  {
    answer: { balances: [{ amount: "30754920", currency: ether }], totalBalanceUsd: 30.7 },
    call: entry.getAppFeeBalances,
    name: "getAppFeeBalances",
    parameters: { wallet: user },
  },
  {
    answer: { liquidity: [{ address: native, balance: "5", chainId: 1, decimals: 18, symbol: "ETH" }] },
    call: entry.getChainLiquidity,
    name: "getChainLiquidity",
    parameters: { chainId: 1 },
  },
  { answer: { chains: [chain] }, call: entry.getChains, name: "getChains", parameters: {} },
  {
    answer: { enabled: true, fee: "-1", solver: { balance: "1", capacityPerRequest: "1" } },
    call: entry.getConfig,
    name: "getConfig",
    parameters: { currency: "eth", destinationChainId: 2, originChainId: 1 },
  },
  {
    answer: [ether],
    call: entry.getCurrencies,
    name: "getCurrencies",
    parameters: { chainIds: [1], limit: 5, term: "eth", version: "v2" },
  },
  {
    answer: [[ether]],
    call: entry.getCurrencies,
    name: "getCurrencies, version 1",
    parameters: { defaultList: true, version: "v1" },
  },
  {
    answer: { chainId: 1, createdAt: "2026", depositAddress: user, requestId, type: "open" },
    call: entry.getDepositAddress,
    name: "getDepositAddress",
    parameters: { requestId },
  },
  {
    answer: { details, fees },
    call: entry.getPrice,
    name: "getPrice",
    parameters: { ...intent, txs: [{ data: "0x12", to: token, value: 1n }] },
  },
  {
    answer: bridgeQuote(),
    call: entry.getQuote,
    name: "getQuote",
    parameters: { ...intent, brandNew: { nested: true }, txs: [{ data: "0x12", to: token, value: 1n }] },
  },
  {
    answer: { requests: [recordV3()], total: 1 },
    call: entry.getRequests,
    name: "getRequests",
    parameters: { features: ["fast_fill"], filters: [{ "not:status": "failure" }], limit: 5 },
  },
  {
    answer: { continuation: "abc", requests: [recordV2()] },
    call: entry.getRequests,
    name: "getRequests, version 2",
    parameters: { hash: txHash, originChainId: 31337, version: "v2" },
  },
  {
    answer: { requestData: signedV1, signature },
    call: entry.getSignature,
    name: "getSignature",
    parameters: { requestId, version: "v1" },
  },
  {
    answer: { requestData: signedV2, signature },
    call: entry.getSignature,
    name: "getSignature, version 2",
    parameters: { requestId, version: "v2" },
  },
  {
    answer: statusAnswer("success"),
    call: entry.getStatus,
    name: "getStatus",
    parameters: { requestId, version: "v3" },
  },
  {
    answer: { status: "fallback", time: 2 },
    call: entry.getStatus,
    name: "getStatus, oldest version",
    parameters: { requestId, version: "legacy" },
  },
  {
    answer: { sources: ["uniswap"] },
    call: entry.getSwapSources,
    name: "getSwapSources",
    parameters: { chainId: 1 },
  },
  {
    answer: { price: "0.000000000000000001" },
    call: entry.getTokenPrice,
    name: "getTokenPrice",
    parameters: { address: native, chainId: 1 },
  },
  {
    answer: done,
    call: entry.indexSingleTransaction,
    name: "indexSingleTransaction",
    parameters: { chainId: 31337, requestId, tx: { txHash } },
  },
  {
    answer: done,
    call: entry.indexTransaction,
    name: "indexTransaction",
    parameters: { chainId: 31337, requestId, txHash },
  },
  {
    answer: {
      checkedCurrencies: 1,
      failedCurrencies: 0,
      triggeredCurrencies: [{ balance: "7", currency: token }],
    },
    call: entry.reindexDepositAddress,
    name: "reindexDepositAddress",
    parameters: { chainId: 1, depositAddress: user },
  },
  {
    answer: done,
    call: entry.submitPermit,
    name: "submitPermit",
    parameters: { kind: "permit2", requestId, signature },
  },
  {
    answer: { message: "Success", steps },
    call: entry.submitSignature,
    name: "submitSignature",
    parameters: { body: { kind: "eip3009" }, endpoint: "/execute/permits", signature },
  },
];
