import { expect } from "chai";
import { createWalletClient, custom, encodeFunctionData, erc20Abi, type Hex } from "viem";
import type { ExecutionState } from "../../../src/execute/ExecutionState.ts";
import { execute } from "../../../src/execute/execute.ts";
import type { Step } from "../../../src/schema/quote/step.ts";
import { fakeService, json } from "../client/support/fakeService.ts";
import {
  bridgeQuote,
  depository,
  depositStep,
  requestId,
  statusAnswer,
  token,
} from "../client/support/samples.ts";
import { account, fakeChain } from "./support/fakeChain.ts";

const success = json(statusAnswer("success", { txHashes: ["0x02"] }));
const ownId = "an id of the wallet's own";

function approveStep(): Step {
  const data = encodeFunctionData({ abi: erc20Abi, args: [depository, 5n], functionName: "approve" });
  return { ...depositStep({ data, to: token, value: "0" }), id: "approve" };
}

function authorizeStep(): Step {
  const post = { body: {}, endpoint: "/authorize", method: "POST" };
  const data = { post, sign: { message: "hello", signatureKind: "eip191" } };
  const items = [{ data, status: "incomplete" }];
  return { ...depositStep(), id: "authorize", items, kind: "signature" } as unknown as Step;
}

/** A wallet that keeps to EIP-5792 as far as it must: its ids are its own, and its answers hold no receipts. */
function batchingWallet(capabilities: unknown = { "0x0": { atomic: { status: "supported" } } }) {
  const chain = fakeChain({ allowances: [5n] });
  const batches: { calls: { to: string }[]; chainId: Hex; from: Hex; id: string }[] = [];
  const single: { to: string }[] = [];
  const answers: Record<string, (parameter: never) => unknown> = {
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
    wallet_getCallsStatus: () => ({ status: 200 }),
    wallet_getCapabilities: () => capabilities,
    wallet_sendCalls: (batch: (typeof batches)[number]) => {
      batches.push(batch);
      return { id: ownId };
    },
  };
  const request = async ({
    method,
    params = [],
  }: {
    method: string;
    params?: unknown[];
  }): Promise<unknown> => {
    const answer = answers[method];
    return answer === undefined ? chain.request({ method, params }) : answer(params[0] as never);
  };
  const wallet = createWalletClient({
    account: account.address,
    transport: custom({ request }, { retryCount: 0 }),
  });
  return { batches, single, wallet };
}

describe("execute and which steps become a batch", () => {
  it("asks for all of it on the origin chain, from the account, under an id that holds the request's", async () => {
    const { batches, single, wallet } = batchingWallet();
    const quote = bridgeQuote([approveStep(), depositStep()]);
    const { originReceipts, state } = await execute(fakeService([success]).client, {
      quote,
      verify: false,
      wallet,
    });
    expect(batches).to.have.length(1);
    expect(batches[0]).to.deep.include({
      atomicRequired: true,
      chainId: "0x7a69",
      from: account.address,
      version: "2.0.0",
    });
    expect(batches[0]?.id.startsWith(requestId)).to.equal(true);
    const [approve, deposit] = quote.steps.map(({ items }) => items[0]?.data) as { data: Hex }[];
    expect(batches[0]?.calls).to.deep.equal([
      { data: approve?.data, to: token, value: "0x0" },
      { data: deposit?.data, to: depository, value: "0x2386f26fc10000" },
    ]);
    expect([single, originReceipts]).to.deep.equal([[], []]);
    expect(state.items.map(({ batchId, status }) => [batchId, status])).to.deep.equal([
      [ownId, "complete"],
      [ownId, "complete"],
    ]);
  });

  it("takes what is said of the origin chain before what is said of every chain, and nothing of others", async () => {
    for (const capabilities of [
      { "0x0": { atomic: { status: "supported" } }, "0x7a69": { atomic: { status: "unsupported" } } },
      { "0xa": { atomic: { status: "supported" } } },
      { "0x7a69": { atomic: "supported" } },
      {},
      null,
    ]) {
      const { batches, single, wallet } = batchingWallet(capabilities);
      const quote = bridgeQuote([approveStep(), depositStep()]);
      await execute(fakeService([success]).client, { quote, verify: false, wallet });
      expect([batches.length, single.length], JSON.stringify(capabilities)).to.deep.equal([0, 2]);
    }
  });

  it("makes none over a signature, nor of approvals that nothing spends, nor of what nothing was approved for", async () => {
    for (const steps of [
      [approveStep(), authorizeStep(), depositStep()],
      [approveStep(), approveStep()],
      [depositStep(), depositStep()],
    ]) {
      const { batches, single, wallet } = batchingWallet();
      const { client } = fakeService([(call) => (call.method === "POST" ? json({}) : success.clone())]);
      await execute(client, { quote: bridgeQuote(steps), verify: false, wallet });
      expect([batches.length, single.length]).to.deep.equal([0, 2]);
    }
  });

  it("leaves out what is complete in the quote", async () => {
    const { batches, wallet } = batchingWallet();
    const approve = approveStep();
    approve.items.unshift({ status: "complete" } as never);
    const quote = bridgeQuote([approve, depositStep()]);
    await execute(fakeService([success]).client, { quote, verify: false, wallet });
    expect(batches[0]?.calls.map(({ to }) => to)).to.deep.equal([token, depository]);
  });

  it("sends a deposit alone when an earlier run has made the approval", async () => {
    const { batches, single, wallet } = batchingWallet();
    const quote = bridgeQuote([approveStep(), depositStep()]);
    const done = { itemIndex: 0, status: "complete", stepIndex: 0 } as const;
    const state: ExecutionState = {
      appendedSteps: [],
      items: [done],
      requestId: requestId as Hex,
      version: 1,
    };
    await execute(fakeService([success]).client, { quote, state, verify: false, wallet });
    expect(batches).to.deep.equal([]);
    expect(single.map(({ to }) => to)).to.deep.equal([depository]);
  });

  it("makes one of steps that the service appends", async () => {
    const { batches, wallet } = batchingWallet();
    const { client } = fakeService([json({ steps: [approveStep(), depositStep()] }), success]);
    await execute(client, { quote: bridgeQuote([authorizeStep()]), verify: false, wallet });
    expect(batches[0]?.calls).to.have.length(2);
  });
});
