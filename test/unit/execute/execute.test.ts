import { expect } from "chai";
import type { Hex } from "viem";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import type { ExecutionState } from "../../../src/execute/ExecutionState.ts";
import type { ExecuteParameters } from "../../../src/execute/execute.ts";
import type { ExecuteProgress } from "../../../src/execute/Run.ts";
import type { Quote } from "../../../src/schema/quote/quote.ts";
import { fakeService, json } from "../client/support/fakeService.ts";
import {
  depository,
  depositStep,
  requestId,
  solver,
  statusAnswer,
  token,
} from "../client/support/samples.ts";
import { fail, start, succeed } from "./support/attempt.ts";
import { account, fakeChain } from "./support/fakeChain.ts";
import { approveStep } from "./support/steps.ts";

type Step = Quote["steps"][number];

const never = Number.POSITIVE_INFINITY;

function phases(events: readonly ExecuteProgress[]): string[] {
  return events.map((event) =>
    event.type === "item" ? `${event.step.id} ${event.phase}` : event.progress.status,
  );
}

describe("execute with transactions", () => {
  it("stops at a deposit that reverts, with its hash, and never asks for the status", async () => {
    const { calls, error, sent } = await fail({ chain: fakeChain({ reverts: [0] }) });
    expect(error).to.include({ blockNumber: 1n, chainId: 31337, hash: sent[0]?.hash, stepId: "deposit" });
    expect(error).to.have.property("code", "TRANSACTION_REVERTED");
    expect(calls).to.deep.equal([]);
  });

  it("sends no deposit after an approval that reverted", async () => {
    const steps = [approveStep(), depositStep()];
    const { error, sent } = await fail({ chain: fakeChain({ reverts: [0] }), steps });
    expect(error).to.have.property("stepId", "approve");
    expect(sent).to.have.length(1);
  });

  it("fails with the reason when the request is refunded after a failure", async () => {
    const failReason = "TOO_LITTLE_RECEIVED";
    const service = fakeService([
      json(statusAnswer("pending")),
      json(statusAnswer("failure", { failReason })),
      json(statusAnswer("refund", { failReason, txHashes: ["0x09"] })),
    ]);
    const { error } = await fail({ service });
    expect(error).to.be.instanceOf(RequestFailedError);
    expect(error).to.include({ failReason, requestId, status: "refund" });
  });

  it("gives up on a transaction that is never mined, and names it", async () => {
    const chain = fakeChain({ pendingReads: never });
    const { error, sent, sleeps } = await fail({ chain, timeout: 5_000 });
    expect(error).to.include({ code: "PAYMENT_UNSETTLED", stepId: "deposit", txHash: sent[0]?.hash });
    expect(error).to.have.nested.property("cause.code", "TIMEOUT");
    expect(sleeps).to.have.length(5);
  });

  // @spec steps/transaction steps/request-id
  it("sends what the step says, waits for the receipt, and returns what happened", async () => {
    const service = fakeService([
      json(statusAnswer("waiting")),
      json(statusAnswer("success", { inTxHashes: ["0x01"], txHashes: ["0x02"] })),
    ]);
    const { events, result, sent } = await succeed({ chain: fakeChain({ pendingReads: 2 }), service });
    expect(sent).to.have.length(1);
    const call = { chainId: 31337, data: "0x49290c1c", to: depository.toLowerCase(), value: 10n ** 16n };
    expect(sent[0]).to.include(call);
    const reported = { inTxHashes: ["0x01"], requestId, status: "success", txHashes: ["0x02"] };
    expect(result).to.deep.include(reported);
    expect(result.originReceipts.map((receipt) => receipt.transactionHash)).to.deep.equal([sent[0]?.hash]);
    const deposit = ["deposit sending", "deposit confirming", "deposit complete"];
    expect(phases(events)).to.deep.equal([...deposit, "waiting", "success"]);
  });

  // @spec steps/order
  it("executes every item of every step in order, and skips those that are complete", async () => {
    const two = depositStep({ to: solver });
    two.items.push(...depositStep({ to: token }).items);
    const done = depositStep({ to: account.address });
    for (const item of done.items) item.status = "complete";
    const { sent } = await succeed({ steps: [done, two, depositStep()] });
    expect(sent.map(({ to }) => to)).to.deep.equal([solver, token, depository].map((to) => to.toLowerCase()));
  });

  // @spec status-request/legacy-check
  it("polls the present status endpoint though a step names the legacy one", async () => {
    const step = depositStep();
    for (const item of step.items) {
      item.check = { endpoint: `/intents/status?requestId=${requestId}`, method: "GET" };
    }
    const { calls, result } = await succeed({ steps: [step] });
    expect(calls[0]).to.deep.include({ pathname: "/intents/status/v3", query: { requestId } });
    expect(result.status).to.equal("success");
  });
});

describe("execute and the wallet", () => {
  // @spec steps/transaction
  it("refuses a wallet on another chain before anything is sent", async () => {
    const { error, sent } = await fail({ chain: fakeChain({ chainId: 10 }) });
    expect(error).to.include({ actualChainId: 10, code: "CHAIN_MISMATCH", expectedChainId: 31337 });
    expect(error).to.have.property("subject", "wallet");
    expect(sent).to.deep.equal([]);
  });

  it("refuses a reader of another chain, and asks for the reader of the origin", async () => {
    const asked: number[] = [];
    const publicClient = (chainId: number) => {
      asked.push(chainId);
      return fakeChain({ chainId: 10 }).publicClient;
    };
    const { error, sent } = await fail({ publicClient });
    expect(error).to.include({ actualChainId: 10, subject: "publicClient" });
    expect(asked).to.deep.equal([31337]);
    expect(sent).to.deep.equal([]);
  });

  it("reads the chain through the reader it was given", async () => {
    const chain = fakeChain();
    const elsewhere = fakeChain({ onSend: () => expect.fail("the reader was asked to send") });
    const publicClient = { ...elsewhere.publicClient, request: chain.publicClient.request };
    const { result } = await succeed({ chain, publicClient });
    expect(result.originReceipts).to.have.length(1);
  });
});

describe("execute with a saved state", () => {
  const empty: ExecutionState = { appendedSteps: [], items: [], requestId: requestId as Hex, version: 1 };

  it("refuses a state whose quote had other steps, and pays nothing a second time", async () => {
    const { chain, result } = await succeed();
    const state: ExecutionState = JSON.parse(JSON.stringify(result.state));
    const changed = [
      [approveStep(), depositStep()],
      [depositStep({ data: "0x12345678" })],
      [depositStep(), depositStep()],
    ];
    for (const steps of changed) {
      const { error } = await fail({ chain, state, steps });
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "state.stepsHash" });
    }
    expect(chain.sent).to.have.length(1);
  });

  it("takes the state with the same steps, in any order of fields and with any item complete", async () => {
    const paid = await succeed({ steps: [depositStep({ later: { a: 1, b: 2 } })] });
    const state: ExecutionState = JSON.parse(JSON.stringify(paid.result.state));
    const step = depositStep({ later: { b: 2, a: 1 } });
    const items = step.items.map(({ data, ...item }) => ({
      data: Object.fromEntries(Object.entries(data ?? {}).reverse()),
      ...item,
      status: "complete",
    }));
    const { result, sent } = await succeed({ chain: paid.chain, state, steps: [{ ...step, items } as Step] });
    expect(result.status).to.equal("success");
    expect(sent).to.have.length(1);
  });

  const invalid: readonly [string, object][] = [
    ["of another request", { ...empty, requestId: `0x${"b1".repeat(32)}` }],
    ["without fields", {}],
    ["of another version", { ...empty, version: 2 }],
    ["with an item that has no index", { ...empty, items: [{ status: "sent" }] }],
  ];
  for (const [what, state] of invalid) {
    it(`refuses a state ${what}, before anything is sent`, async () => {
      const { result, sent } = start({ state, verify: undefined } as ExecuteParameters);
      const error = await result.catch((reason: unknown) => reason);
      expect(error)
        .to.have.property("parameter")
        .that.matches(/^state\./);
      expect(sent).to.deep.equal([]);
    });
  }
});
