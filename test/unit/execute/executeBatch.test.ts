import { mock } from "node:test";
import { expect } from "chai";
import { createWalletClient, custom, type Hex, numberToHex } from "viem";
import type { ExecutionState } from "../../../src/execute/ExecutionState.ts";
import type { Step } from "../../../src/schema/quote/step.ts";
import { json } from "../client/support/fakeService.ts";
import { bridgeQuote, depository, depositStep, requestId, token } from "../client/support/samples.ts";
import { tryPayment } from "./support/alteredAnswers.ts";
import { fail, start, submissions, succeed } from "./support/attempt.ts";
import { account, type FakeChain, fakeChain } from "./support/fakeChain.ts";
import { approveStep, signatureStep } from "./support/steps.ts";

/** The id that the wallet gives a batch, in place of the requested one. */
const walletId = "an id of the wallet's own";
const supported = { atomic: { status: "supported" } };

/** A wallet that keeps to EIP-5792 and no more: its ids are its own, and its answers hold no receipts. */
function batchingWallet(
  capabilities: () => unknown = () => ({ "0x0": supported }),
  batchStatus: object = { status: 200 },
) {
  const chain = fakeChain({ allowances: [5n] });
  const batches: { calls: { to: string }[]; chainId: Hex; from: Hex; id: string }[] = [];
  const single: { to: string }[] = [];
  const answers: Record<string, (parameter: never) => unknown> = {
    eth_getTransactionByHash: (hash: Hex) => {
      const { data: input, ...call } = single[Number(hash) - 1] as { data: Hex; to: string };
      return { ...call, chainId: "0x7a69", from: account.address, hash, input, nonce: "0x0", type: "0x2" };
    },
    eth_getTransactionReceipt: (hash: Hex) => ({
      blockHash: hash,
      blockNumber: "0x1",
      gasUsed: "0x1",
      logs: [],
      status: "0x1",
      transactionHash: hash,
    }),
    eth_sendTransaction: (call: { to: string }) => `0x${String(single.push(call)).padStart(64, "0")}`,
    personal_sign: () => `0x${"11".repeat(65)}`,
    wallet_getCallsStatus: () => batchStatus,
    wallet_getCapabilities: capabilities,
    wallet_sendCalls: (batch: (typeof batches)[number]) => {
      batches.push(batch);
      return { id: walletId };
    },
  };
  const request: FakeChain["request"] = async ({ method, params = [] }) => {
    const answer = answers[method];
    return answer === undefined ? chain.request({ method, params }) : answer(params[0] as never);
  };
  const transport = custom({ request }, { retryCount: 0 });
  return { batches, single, wallet: createWalletClient({ account: account.address, transport }) };
}

const steps = [approveStep(), depositStep()];

describe("execute and which steps become a batch", () => {
  it("asks for all of it on the origin chain, from the account, under an id that holds the request's", async () => {
    const { batches, single, wallet } = batchingWallet();
    const { originReceipts, state } = (await succeed({ steps, wallet })).result;
    expect(batches).to.have.length(1);
    const batch = { atomicRequired: true, chainId: "0x7a69", from: account.address, version: "2.0.0" };
    expect(batches[0]).to.deep.include(batch);
    expect(batches[0]?.id.startsWith(requestId)).to.equal(true);
    const [approve, deposit] = bridgeQuote(steps).steps.map(({ items }) => items[0]?.data) as { data: Hex }[];
    expect(batches[0]?.calls).to.deep.equal([
      { data: approve?.data, to: token, value: "0x0" },
      { data: deposit?.data, to: depository, value: "0x2386f26fc10000" },
    ]);
    expect([single, originReceipts]).to.deep.equal([[], []]);
    const done = [walletId, "complete"];
    expect(state.items.map(({ batchId, status }) => [batchId, status])).to.deep.equal([done, done]);
  });

  for (const [what, capabilities] of Object.entries({
    "every chain and denied for the origin": { "0x0": supported, "0x7a69": { atomic: { status: "no" } } },
    "another chain": { "0xa": supported },
    "the origin in another form": { "0x7a69": { atomic: "supported" } },
    "no chain": {},
    "no chain, as null": null,
  })) {
    it(`sends each by itself when batches are offered for ${what}`, async () => {
      const { batches, single, wallet } = batchingWallet(() => capabilities);
      await succeed({ steps, wallet });
      expect([batches.length, single.length]).to.deep.equal([0, 2]);
    });
  }

  it("makes none over a signature, nor of approvals that nothing spends, nor of what nothing was approved for", async () => {
    for (const unbatched of [
      [approveStep(), signatureStep(), depositStep()],
      [approveStep(), approveStep()],
      [depositStep(), depositStep()],
    ]) {
      const { batches, single, wallet } = batchingWallet();
      await succeed({ service: submissions(), steps: unbatched, wallet });
      expect([batches.length, single.length]).to.deep.equal([0, 2]);
    }
  });

  it("sends a deposit alone when an earlier run has made the approval", async () => {
    const { batches, single, wallet } = batchingWallet();
    const state: ExecutionState = {
      appendedSteps: [],
      items: [{ itemIndex: 0, status: "complete", stepIndex: 0 }],
      requestId: requestId as Hex,
      version: 1,
    };
    await succeed({ state, steps, wallet });
    expect(batches).to.deep.equal([]);
    expect(single.map(({ to }) => to)).to.deep.equal([depository]);
  });

  it("makes one of steps that the service appends", async () => {
    const { batches, wallet } = batchingWallet();
    const appended: Step[] = steps;
    await succeed({ service: submissions(json({ steps: appended })), steps: [signatureStep()], wallet });
    expect(batches[0]?.calls).to.have.length(2);
  });
});

describe("execute and a wallet that does not answer for its capabilities", () => {
  afterEach(() => mock.timers.reset());

  /** A wallet, and the requests of its capabilities. */
  function silentWallet() {
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const silent = batchingWallet(() => {
      isAsked();
      return new Promise(() => undefined);
    });
    return { ...silent, asked };
  }

  it("waits for five seconds and sends each item by itself", async () => {
    const { asked, single, wallet } = silentWallet();
    mock.timers.enable({ apis: ["setTimeout"] });
    const { result } = start({ steps, wallet });
    await asked;
    mock.timers.tick(4_999);
    await new Promise(setImmediate);
    expect(single).to.deep.equal([]);
    mock.timers.tick(1);
    expect((await result).status).to.equal("success");
    expect(single).to.have.length(2);
  });
});

describe("execute and a batch that is open", () => {
  it("a wallet that made the batch on another chain: the payment is open, and not complete", async () => {
    const { wallet } = batchingWallet(undefined, { chainId: "0x1", status: 200 });
    const { error } = await fail({ steps, wallet });
    expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
    expect(error).to.have.nested.property("cause.code", "CHAIN_MISMATCH");
  });

  it("a save that fails at the batch's second item, before the wallet is asked: a later run pays", async () => {
    const { batches, wallet } = batchingWallet();
    let events = 0;
    const onProgress = () => {
      if (++events === 2) throw new Error("the disk is full");
    };
    const failed = await fail({ onProgress, steps, wallet });
    expect(failed.error).to.have.property("message", "the disk is full");
    expect(batches).to.have.length(0);
    // In the same process.
    const { status } = await tryPayment(failed.chain, { quote: bridgeQuote(steps), wallet });
    expect(status).to.equal("success");
  });

  it("a batch that the wallet has, behind an open transaction: every reported state is as plain as the saved one", async () => {
    const receipt = {
      blockNumber: "0x1",
      gasUsed: "0x1",
      status: "0x1",
      transactionHash: `0x${"05".repeat(32)}`,
    };
    const { batches, single, wallet } = batchingWallet(undefined, { receipts: [receipt], status: 200 });
    const [first = depositStep()] = bridgeQuote([depositStep()]).steps;
    single.push(first.items[0]?.data as never);
    const sent = { status: "sent", txHash: numberToHex(1, { size: 32 }) } as const;
    const entry = { batchId: "asked", itemIndex: 0, status: "sending" } as const;
    const state: ExecutionState = {
      appendedSteps: [],
      items: [
        { ...sent, itemIndex: 0, stepIndex: 0 },
        ...[1, 2].map((stepIndex) => ({ ...entry, stepIndex })),
      ],
      requestId: requestId as Hex,
      version: 1,
    };
    const { events } = await succeed({ state, steps: [depositStep(), approveStep(), depositStep()], wallet });
    expect(batches).to.deep.equal([]);
    const items = events
      .find((event) => event.type === "item" && event.phase === "complete")
      ?.state.items.filter(({ stepIndex }) => stepIndex > 0);
    expect(items).to.deep.equal([1, 2].map((stepIndex) => ({ ...entry, status: "sent", stepIndex })));
  });
});
