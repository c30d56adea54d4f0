import { type Address, createClient, custom, type Hex, parseAbi } from "viem";
import { type ApproveParameters, approve } from "../../../src/calls/approve.ts";
import type { Call } from "../../../src/calls/Call.ts";
import { calls } from "../../../src/calls/calls.ts";
import { checkCalls } from "../../../src/calls/checkCalls.ts";
import { contractCall } from "../../../src/calls/contractCall.ts";
import { decodeRevert } from "../../../src/calls/decodeRevert.ts";
import { encodeWithLiveBalances } from "../../../src/calls/encodeWithLiveBalances.ts";
import { type ExplainFailureParameters, explainFailure } from "../../../src/calls/explainFailure.ts";
import { balanceOf } from "../../../src/calls/liveBalance.ts";
import { proxyStep } from "../../../src/calls/proxyStep.ts";
import { depositToVault } from "../../../src/calls/recipes/depositToVault.ts";
import { mintNft } from "../../../src/calls/recipes/mintNft.ts";
import { supplyToPool } from "../../../src/calls/recipes/supplyToPool.ts";
import {
  swapFromNativeOnUniswapV2,
  swapOnUniswapV2,
  swapToNativeOnUniswapV2,
} from "../../../src/calls/recipes/uniswapV2.ts";
import { unwrapNative, wrapNative } from "../../../src/calls/recipes/wrappedNative.ts";
import { type SimulateCallsParameters, simulateCalls } from "../../../src/calls/simulateCalls.ts";
import { sweepErc20s, sweepNative } from "../../../src/calls/sweep.ts";
import { type ToCallParameters, toCall } from "../../../src/calls/toCall.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [token, vault, proxy, router, recipient] = [
  address("1"),
  address("2"),
  address("3"),
  address("4"),
  address("5"),
];
const abi = parseAbi([
  "function deposit(uint256 assets, address receiver, (uint256 least, bytes data)[] parts)",
]);
const parts = [{ data: "0x12", least: 1n }] as const;
const args = [1n, recipient, parts] as const;
const live = [balanceOf(token), recipient, parts] as const;
const txs: Call[] = [
  ...approve({ amount: 5n, spender: vault, token }),
  contractCall({ abi, address: vault, args, functionName: "deposit" }),
];
const swap = {
  deadline: 2n ** 40n,
  executor: proxy,
  minimumOutput: 1n,
  minimumReceived: 1n,
  path: [token, vault],
  proxy,
  recipient,
  swapRouter: router,
};
/** A node whose every answer is the same word. */
const node = createClient({ transport: custom({ request: async () => `0x${"00".repeat(32)}` }) });

describeInvalidArguments({
  approve: [{ amount: 1n, resetFirst: true, spender: vault, token } satisfies ApproveParameters, approve],
  balanceOf: [{ token }, ({ token: given }: { token: Address }) => balanceOf(given)],
  calls: [{ proxy, router, routerVersion: "v3" }, calls],
  "calls().add": [
    { call: txs[0] as Call },
    ({ call }: { call: ToCallParameters }) => calls({ router }).add(call).txs,
  ],
  checkCalls: [
    {
      amount: "5",
      destinationCurrency: token,
      refundTo: recipient,
      resetTokens: [token],
      router,
      routerVersion: "v3",
      tradeType: "EXACT_INPUT",
      txs,
      userIsContract: true,
      withoutCode: [vault],
    },
    checkCalls,
  ],
  contractCall: [{ abi, address: vault, args, functionName: "deposit", value: 1n }, contractCall],
  decodeRevert: [
    { abis: [abi], data: "0x12345678" },
    ({ abis, data }: { abis: []; data: Hex }) => decodeRevert(data, abis),
  ],
  depositToVault: [
    { asset: token, minimumReceived: 1n, minimumShares: 1n, proxy, recipient, vault },
    depositToVault,
  ],
  encodeWithLiveBalances: [{ abi, args: live, functionName: "deposit" }, encodeWithLiveBalances],
  explainFailure: [
    {
      abis: [abi],
      failedCallData: { data: "0x12", from: recipient, to: router, value: "1" },
      failedTxBlockNumber: 1,
      failedTxHash: null,
      failReason: "SLIPPAGE",
      getRequests: async () => ({ requests: [] }),
      requestId: undefined,
      txs,
    } satisfies ExplainFailureParameters,
    (parameters: ExplainFailureParameters) => explainFailure(node, parameters),
  ],
  mintNft: [
    { abi, address: vault, args, functionName: "deposit", price: 1n, proxy, recipient, token },
    mintNft,
  ],
  proxyStep: [
    {
      abi,
      address: vault,
      args: live,
      functionName: "deposit",
      minimumReceived: 1n,
      outputs: [{ minimum: 1n, recipient, token }],
      proxy,
      recipient,
      resetFirst: false,
      token,
    },
    proxyStep,
  ],
  simulateCalls: [
    { abis: [abi], balances: [{ amount: 1n, token }], blockNumber: 1n, gas: true, recipient, router, txs },
    (parameters: SimulateCallsParameters) => simulateCalls(node, parameters),
  ],
  supplyToPool: [
    {
      asset: token,
      minimumReceived: 1n,
      pool: vault,
      proxy,
      receipt: { minimum: 1n, token: vault },
      recipient,
      referralCode: 0,
    },
    supplyToPool,
  ],
  swapFromNativeOnUniswapV2: [{ ...swap, router }, swapFromNativeOnUniswapV2],
  swapOnUniswapV2: [swap, swapOnUniswapV2],
  swapToNativeOnUniswapV2: [swap, swapToNativeOnUniswapV2],
  sweepErc20s: [{ recipient, router, routerVersion: "v3", tokens: [token] }, sweepErc20s],
  sweepNative: [{ recipient, router, routerVersion: "v2.1" }, sweepNative],
  toCall: [{ input: txs[0] as Call }, ({ input }: { input: ToCallParameters }) => toCall(input)],
  unwrapNative: [{ minimumReceived: 1n, proxy, recipient, wrappedNative: token }, unwrapNative],
  wrapNative: [{ minimumReceived: 1n, proxy, recipient, router, wrappedNative: token }, wrapNative],
});
