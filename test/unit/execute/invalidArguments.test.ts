import { expect } from "chai";
import type * as entry from "../../../src/client/index.ts";
import * as executor from "../../../src/execute/index.ts";
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
import { account, fakeChain } from "./support/fakeChain.ts";

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
  maximumFillSeconds: 60,
  maximumGas: 1n,
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
  const { request: ask, wallet } = fakeChain();
  return {
    getAddress: async () => account.address,
    provider: {
      getNetwork: async () => ({ chainId: 31337n }),
      send: (method: string, params: unknown[]) => ask({ method, params }),
    },
    sendTransaction: async ({ data, to, value }: executor.EthersTransaction) => ({
      hash: await wallet.sendTransaction({ chain: null, data: data as never, to: to as never, value }),
    }),
    signMessage: async () => "0x",
    signTypedData: async () => "0x",
  };
}

const run = (given: Given) =>
  executor.execute(clientOf(statusAnswer("success")), {
    wallet: fakeChain().wallet,
    ...given,
  } as unknown as executor.ExecuteParameters);

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
  verifyQuote: [{ ...policy, quote, request }, executor.verifyQuote],
});

/** Found by the table above: each was an error of the platform, or an answer to another question. */
const rejected: readonly [what: string, parameter: string, act: () => unknown][] = [
  ["a quote that is null", "quote", () => run({ quote: null as never })],
  [
    "a way to batch that does not exist",
    "batch",
    () => run({ batch: "always" as never, quote: quote as never }),
  ],
  ["a wallet that is an address", "wallet", () => run({ quote: quote as never, wallet: user as never })],
  [
    "a reader that is an address",
    "publicClient",
    () => run({ publicClient: user as never, quote: quote as never }),
  ],
  [
    "a tolerance with places",
    "request.slippageTolerance",
    () => executor.verifyQuote({ quote, request: { ...request, slippageTolerance: "0.5" } as never }),
  ],
];

describe("arguments of execute and verifyQuote", () => {
  for (const [what, parameter, act] of rejected) {
    it(`reject ${what} with the name of the argument`, async () => {
      const error = await rejectionOf(Promise.resolve().then(act));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
    });
  }

  it("reject a node that does not name its chain, before anything is sent", async () => {
    const offline = async () => {
      throw new Error("offline");
    };
    const { publicClient, sent } = fakeChain();
    const wallet = { ...signer(), provider: { getNetwork: offline } };
    const parts = { publicClient, quote, verify: false, wallet } as unknown as Given;
    expect(await rejectionOf(run(parts))).to.include({ name: "WalletFailedError", outcome: "notDone" });
    const reader = { publicClient: { request: offline }, quote, verify: false } as unknown as Given;
    expect(await rejectionOf(run(reader))).to.have.property("parameter", "publicClient");
    expect(sent).to.deep.equal([]);
  });
});
