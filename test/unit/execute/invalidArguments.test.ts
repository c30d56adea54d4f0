import { expect } from "chai";
import type * as entry from "../../../src/client/index.ts";
import * as executor from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { proveQuote } from "../../../src/prove/index.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";
import { fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import {
  bridgeQuote,
  depository,
  depositStep,
  native,
  requestId,
  statusAnswer,
  user,
} from "../client/support/samples.ts";
import { account, fakeChain, reject } from "./support/fakeChain.ts";

type Given = Readonly<Record<string, never>>;

const clientOf = (answer: object): entry.Client => fakeService([() => json(answer)]).client;
const { signal } = new AbortController();

const quote = bridgeQuote([{ ...depositStep() }]);
const request = {
  amount: 10n ** 16n,
  destinationChainId: 31338,
  destinationCurrency: native,
  originChainId: 31337,
  originCurrency: native,
  recipient: user,
  refundTo: user,
  slippageTolerance: "50",
  tradeType: "EXACT_INPUT",
  ttl: 60,
  txs: [{ data: "0x12", to: depository, value: "1" }],
  user,
};
const contracts = {
  depositCurrencies: [depository],
  depository,
  name: "local-a",
  outputGuard: depository,
  permit2: depository,
  relayReceiver: depository,
  routers: [{ approvalProxy: user, router: user, version: "v3" }],
  vmType: "evm",
  wrappedNative: depository,
};
const policy = {
  allowSimulatedOutput: true,
  allowUnsignedOutput: true,
  maximumAllowance: 1n,
  maximumFee: 1n,
  maximumFillSeconds: 60,
  maximumGas: 1n,
  maximumSlippage: 1,
  maximumInput: 10n ** 18n,
  maximumPermitSeconds: 60,
  minimumOutput: 1n,
  now: 1_700_000_000_000,
  price: () => 1n,
  reader: fakeChain().publicClient,
  record: { signature: `0x${"11".repeat(65)}` },
  simulate: async () => 1n,
  trust: {
    chains: [
      { ...contracts, chainId: 31337 },
      { ...contracts, chainId: 31338 },
    ],
    solvers: [user],
  },
};
const running = {
  batch: "auto",
  onProgress: () => undefined,
  pollingInterval: 1_000,
  stream: () => undefined,
  timeout: 5_000,
};
const item = { itemIndex: 0, status: "complete", stepIndex: 0 };
const state = { appendedSteps: [], items: [item], requestId, version: 1 };

/** A signer of ethers, of which every part can be bent. */
function signer() {
  const { request: ask } = fakeChain();
  return {
    getAddress: async () => account.address,
    provider: {
      getNetwork: async () => ({ chainId: 31337n }),
      send: (method: string, params: unknown[]) => ask({ method, params }),
    },
    signMessage: async () => "0x",
    signTransaction: ({ gasLimit: gas, type: _, ...call }: { gasLimit: bigint; type: number }) =>
      account.signTransaction({ ...call, gas, type: "eip1559" } as never),
    signTypedData: async () => "0x",
  };
}

const run = (given: Given) => {
  paymentLedger.clear();
  return executor.execute(clientOf(statusAnswer("success")), {
    wallet: fakeChain().wallet,
    ...given,
  } as unknown as executor.ExecuteParameters);
};

describeInvalidArguments({
  execute: [{ ...running, quote, request, signal, verify: policy }, run],
  "execute, without a proof": [{ ...running, quote, verify: false }, run],
  "execute, for a request": [{ quote, request, verify: policy }, (given: Given) => run(given)],
  "execute, resumed": [{ publicClient: fakeChain().publicClient, quote, state, verify: false }, run],
  "execute, with a signer": [
    { wallet: signer() },
    (given: Given) => run({ ...given, quote: quote as never, verify: false as never }),
  ],
  findQuoteMismatches: [{ ...policy, quote, request }, executor.findQuoteMismatches],
  proveQuote: [{ policy, quote, request }, proveQuote],
  verifyQuote: [{ ...policy, quote, request }, executor.verifyQuote],
});

const given = (parts: object) => () => run({ quote, ...parts } as unknown as Given);
describe("execute, given a node that does not name its chain", () => {
  const provider = { ...signer().provider, send: async () => reject(-32603, "offline")() };
  const cases = [
    { error: { reason: "the wallet does not name its chain" }, wallet: { ...signer(), provider } },
    {
      error: { reason: "the publicClient does not name its chain" },
      publicClient: { request: reject(-32603, "offline") },
    },
  ];
  for (const { error, ...parts } of cases) {
    it(`throws before anything is sent: ${Object.values(error)[0]}`, async () => {
      const chain = fakeChain();
      const readers = { publicClient: chain.publicClient, wallet: chain.wallet, ...parts };
      expect(await rejectionOf(given({ ...readers, verify: false })())).to.include(error);
      expect(chain.sent).to.deep.equal([]);
    });
  }
});
