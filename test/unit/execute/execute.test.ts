import { expect } from "chai";
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from "viem";
import { hardhat } from "viem/chains";
import { AbortedError } from "../../../src/errors/AbortedError.ts";
import { ChainMismatchError } from "../../../src/errors/ChainMismatchError.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { TimeoutError } from "../../../src/errors/TimeoutError.ts";
import { TransactionRevertedError } from "../../../src/errors/TransactionRevertedError.ts";
import { WalletFailedError } from "../../../src/errors/WalletFailedError.ts";
import type { ExecutionState } from "../../../src/execute/ExecutionState.ts";
import { type ExecuteParameters, execute } from "../../../src/execute/execute.ts";
import type { ExecuteProgress } from "../../../src/execute/Run.ts";
import type { Quote } from "../../../src/schema/quote/quote.ts";
import { type Answer, fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import {
  bridgeQuote,
  depository,
  depositStep,
  requestId,
  solver,
  statusAnswer,
  token,
} from "../client/support/samples.ts";
import { account, type FakeChain, fakeChain, refusingWallet } from "./support/fakeChain.ts";

type Step = Quote["steps"][number];

const success = json(statusAnswer("success", { inTxHashes: ["0x01"], txHashes: ["0x02"] }));

function approveStep(amount = 5n): Step {
  const data = encodeFunctionData({ abi: erc20Abi, args: [depository, amount], functionName: "approve" });
  return { ...depositStep({ data, to: token, value: "0" }), id: "approve" };
}

function phases(events: readonly ExecuteProgress[]): string[] {
  return events.map((event) =>
    event.type === "item" ? `${event.step.id} ${event.phase}` : event.progress.status,
  );
}

describe("execute with transactions", () => {
  it("stops at a deposit that reverts, with its hash, and never asks for the status", async () => {
    const { calls, client } = fakeService([success]);
    const { sent, wallet } = fakeChain({ reverts: [0] });
    const error = await rejectionOf(execute(client, { quote: bridgeQuote(), verify: false, wallet }));
    expect(error).to.be.instanceOf(TransactionRevertedError);
    expect(error).to.include({ blockNumber: 1n, chainId: 31337, hash: sent[0]?.hash, stepId: "deposit" });
    expect(calls).to.deep.equal([]);
  });

  it("does not deposit after an approval that reverted", async () => {
    const { client } = fakeService([success]);
    const { sent, wallet } = fakeChain({ reverts: [0] });
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote([approveStep(), depositStep()]), verify: false, wallet }),
    );
    expect(error).to.have.property("stepId", "approve");
    expect(sent).to.have.length(1);
  });

  it("fails with the reason when the request is refunded after a failure", async () => {
    const answers: Answer[] = [
      json(statusAnswer("pending")),
      json(statusAnswer("failure", { failReason: "TOO_LITTLE_RECEIVED" })),
      json(statusAnswer("refund", { failReason: "TOO_LITTLE_RECEIVED", txHashes: ["0x09"] })),
    ];
    const { client } = fakeService(answers);
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote(), verify: false, wallet: fakeChain().wallet }),
    );
    expect(error).to.be.instanceOf(RequestFailedError);
    expect(error).to.include({ failReason: "TOO_LITTLE_RECEIVED", requestId, status: "refund" });
  });

  it("gives up on a request that stays pending for ever", async () => {
    const { client } = fakeService([json(statusAnswer("pending"))]);
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote(), timeout: 30_000, verify: false, wallet: fakeChain().wallet }),
    );
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.include({ lastStatus: "pending", requestId });
  });

  it("gives up on a transaction that is never mined, and names it", async () => {
    const { client, sleeps } = fakeService([success]);
    const { sent, wallet } = fakeChain({ pendingReads: Number.POSITIVE_INFINITY });
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote(), timeout: 5_000, verify: false, wallet }),
    );
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.have.property("operation").that.includes(sent[0]?.hash);
    expect(sleeps).to.have.length(5);
  });

  it("sends what the step says, waits for the receipt, and returns what happened", async () => {
    const { client } = fakeService([json(statusAnswer("waiting")), success]);
    const { sent, wallet } = fakeChain({ pendingReads: 2 });
    const events: ExecuteProgress[] = [];
    const result = await execute(client, {
      onProgress: (event) => void events.push(event),
      quote: bridgeQuote(),
      verify: false,
      wallet,
    });
    expect(sent).to.have.length(1);
    expect(sent[0]).to.include({ data: "0x49290c1c", to: depository.toLowerCase(), value: 10n ** 16n });
    expect(result).to.deep.include({
      inTxHashes: ["0x01"],
      requestId,
      status: "success",
      txHashes: ["0x02"],
    });
    expect(result.originReceipts.map((receipt) => receipt.transactionHash)).to.deep.equal([sent[0]?.hash]);
    expect(phases(events)).to.deep.equal([
      "deposit sending",
      "deposit confirming",
      "deposit complete",
      "waiting",
      "success",
    ]);
  });

  it("executes every item of every step in order, and skips those that are complete", async () => {
    const { client } = fakeService([success]);
    const { sent, wallet } = fakeChain();
    const two = depositStep({ to: solver });
    two.items.push(...depositStep({ to: token }).items);
    const done = depositStep({ to: account.address });
    for (const item of done.items) item.status = "complete";
    await execute(client, { quote: bridgeQuote([done, two, depositStep()]), verify: false, wallet });
    expect(sent.map(({ to }) => to)).to.deep.equal([solver, token, depository].map((to) => to.toLowerCase()));
  });

  it("reads values in every form that wallets and nodes use", async () => {
    for (const [value, wei] of [
      ["0x2a", 42n],
      ["42", 42n],
      [42, 42n],
      [undefined, 0n],
    ] as const) {
      const { sent, wallet } = fakeChain();
      await execute(fakeService([success]).client, {
        quote: bridgeQuote([depositStep({ value })]),
        verify: false,
        wallet,
      });
      expect(sent[0]?.value, String(value)).to.equal(wei);
    }
  });

  it("stops between two transactions when the caller aborts", async () => {
    const controller = new AbortController();
    const { sent, wallet } = fakeChain();
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && event.phase === "complete") controller.abort();
    };
    const quote = bridgeQuote([depositStep(), depositStep()]);
    const { signal } = controller;
    const error = await rejectionOf(
      execute(fakeService([success]).client, { onProgress, quote, signal, verify: false, wallet }),
    );
    expect(error).to.be.instanceOf(AbortedError);
    expect(sent).to.have.length(1);
  });
});

describe("execute with approvals", () => {
  const run = (amount: bigint, allowances: readonly bigint[], more: Partial<ExecuteParameters> = {}) => {
    const { client, sleeps } = fakeService([success]);
    const chain = fakeChain({ allowances });
    const quote = bridgeQuote([approveStep(amount), depositStep()]);
    return {
      chain,
      result: execute(client, { quote, verify: false, wallet: chain.wallet, ...more }),
      sleeps,
    };
  };
  const reads = (methods: readonly string[]) => methods.filter((method) => method === "eth_call").length;

  it("does not send the deposit before the allowance is visible", async () => {
    const { chain, result, sleeps } = run(5n, [0n, 4n, 5n]);
    await result;
    expect(reads(chain.methods)).to.equal(3);
    expect(sleeps).to.deep.equal([1_000, 1_000]);
    expect(chain.methods.lastIndexOf("eth_call")).to.be.lessThan(
      chain.methods.lastIndexOf("eth_sendRawTransaction"),
    );
  });

  it("gives up when the allowance never becomes visible, and has sent no deposit", async () => {
    const { chain, result } = run(5n, [4n], { timeout: 3_000 });
    const error = await rejectionOf(result);
    expect(error).to.be.instanceOf(TimeoutError);
    expect(error).to.have.property("operation").that.includes("allowance");
    expect(chain.sent).to.have.length(1);
  });

  it("waits for zero after an approval of zero", async () => {
    const { chain, result } = run(0n, [7n, 0n]);
    await result;
    expect(reads(chain.methods)).to.equal(2);
  });

  it("takes 96 bits for unlimited: some tokens store no more", async () => {
    const { chain, result } = run(2n ** 256n - 1n, [2n ** 96n - 1n]);
    await result;
    expect(reads(chain.methods)).to.equal(1);
  });

  it("does not wait where there are no allowances", async () => {
    const { chain, result } = run(5n, []);
    await result;
    expect(chain.sent).to.have.length(2);
  });
});

describe("execute and the wallet", () => {
  it("refuses a wallet on another chain before anything is sent", async () => {
    const { sent, wallet } = fakeChain({ chainId: 10 });
    const error = await rejectionOf(
      execute(fakeService([success]).client, { quote: bridgeQuote(), verify: false, wallet }),
    );
    expect(error).to.be.instanceOf(ChainMismatchError);
    expect(error).to.include({ actualChainId: 10, expectedChainId: 31337, subject: "wallet" });
    expect(sent).to.deep.equal([]);
  });

  it("refuses a reader of another chain, and asks for the reader of the origin", async () => {
    const { sent, wallet } = fakeChain();
    const asked: number[] = [];
    const publicClient = (chainId: number) => {
      asked.push(chainId);
      return fakeChain({ chainId: 10 }).publicClient;
    };
    const error = await rejectionOf(
      execute(fakeService([success]).client, { publicClient, quote: bridgeQuote(), verify: false, wallet }),
    );
    expect(error).to.include({ actualChainId: 10, subject: "publicClient" });
    expect(asked).to.deep.equal([31337]);
    expect(sent).to.deep.equal([]);
  });

  it("reads the chain through the reader it was given", async () => {
    const chain = fakeChain();
    const elsewhere = fakeChain({ onSend: () => expect.fail("the reader was asked to send") });
    const publicClient = { ...elsewhere.publicClient, request: chain.publicClient.request };
    const { client } = fakeService([success]);
    const { originReceipts } = await execute(client, {
      publicClient,
      quote: bridgeQuote(),
      verify: false,
      wallet: chain.wallet,
    });
    expect(originReceipts).to.have.length(1);
  });

  it("says that a person refused, that nothing was sent, and lets the item be tried again", async () => {
    let state: ExecutionState | undefined;
    const { client } = fakeService([success]);
    const onProgress = (event: ExecuteProgress) => {
      state = event.state;
    };
    const error = await rejectionOf(
      execute(client, { onProgress, quote: bridgeQuote(), verify: false, wallet: refusingWallet() }),
    );
    expect(error).to.be.instanceOf(WalletFailedError);
    expect(error).to.include({ outcome: "notDone", stepId: "deposit", userRejected: true });
    const { sent, wallet } = fakeChain();
    await execute(client, { quote: bridgeQuote(), state, verify: false, wallet });
    expect(sent).to.have.length(1);
  });

  it("does not know whether a transaction left when the connection broke, and refuses to send it again", async () => {
    let state: ExecutionState | undefined;
    const { client } = fakeService([success]);
    const broken = fakeChain({
      onSend: () => {
        throw new Error("socket hang up");
      },
    });
    const onProgress = (event: ExecuteProgress) => {
      state = event.state;
    };
    const error = await rejectionOf(
      execute(client, { onProgress, quote: bridgeQuote(), verify: false, wallet: broken.wallet }),
    );
    expect(error).to.include({ code: "WALLET_FAILED", outcome: "unknown", userRejected: false });
    const { sent, wallet } = fakeChain();
    const again = await rejectionOf(execute(client, { quote: bridgeQuote(), state, verify: false, wallet }));
    expect(again).to.include({ code: "STEP_REJECTED", stepId: "deposit" });
    expect(sent).to.deep.equal([]);
  });

  it("refuses a wallet without an account", async () => {
    const wallet = createWalletClient({ chain: hardhat, transport: http("http://127.0.0.1:1") });
    const error = await rejectionOf(
      execute(fakeService([success]).client, { quote: bridgeQuote(), verify: false, wallet }),
    );
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "wallet" });
  });
});

describe("execute with a saved state", () => {
  const stateOf = (items: ExecutionState["items"]): ExecutionState => ({
    appendedSteps: [],
    items,
    requestId: requestId as Hex,
    version: 1,
  });

  /** A run that paid, and what it left. */
  async function runOnce(quote: Quote): Promise<{ chain: FakeChain; state: ExecutionState }> {
    const chain = fakeChain();
    const { client } = fakeService([success]);
    const { state } = await execute(client, { quote, verify: false, wallet: chain.wallet });
    return { chain, state: JSON.parse(JSON.stringify(state)) };
  }

  it("stops at any point and goes on from what it reported there, without sending anything twice", async () => {
    const quote = bridgeQuote([approveStep(), depositStep()]);
    for (let stopAt = 0; stopAt < 8; stopAt++) {
      const chain = fakeChain({ allowances: [5n] });
      const { client } = fakeService([success]);
      let saved = "";
      let count = 0;
      const onProgress = (event: ExecuteProgress) => {
        saved = JSON.stringify(event.state);
        if (count++ === stopAt) throw new Error("crash");
      };
      const crash = await rejectionOf(
        execute(client, { onProgress, quote, verify: false, wallet: chain.wallet }),
      );
      expect(crash).to.have.property("message", "crash");
      const state: ExecutionState = JSON.parse(saved);
      const isUnknown = state.items.some((item) => item.status === "sending");
      const resumed = execute(client, { quote, state, verify: false, wallet: chain.wallet });
      if (isUnknown) expect(await rejectionOf(resumed)).to.have.property("code", "STEP_REJECTED");
      else expect((await resumed).status).to.equal("success");
      expect(chain.sent.length, `stopped at ${stopAt}`).to.equal(isUnknown ? Math.floor(stopAt / 4) : 2);
    }
  });

  it("refuses a state whose quote had other steps, and pays nothing a second time", async () => {
    const paid = await runOnce(bridgeQuote());
    const { client } = fakeService([success]);
    const changed = [
      [approveStep(), depositStep()],
      [depositStep({ data: "0x12345678" })],
      [depositStep(), depositStep()],
    ];
    for (const steps of changed) {
      const parameters = { quote: bridgeQuote(steps), state: paid.state, verify: false } as const;
      const error = await rejectionOf(execute(client, { ...parameters, wallet: paid.chain.wallet }));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "state.stepsHash" });
    }
    expect(paid.chain.sent).to.have.length(1);
  });

  it("takes the state with the same steps, whatever order their fields are in and whatever is marked complete", async () => {
    const { chain, state } = await runOnce(bridgeQuote([depositStep({ later: { a: 1, b: 2 } })]));
    const step = depositStep({ later: { b: 2, a: 1 } });
    const items = step.items.map(({ data, ...item }) => ({
      data: Object.fromEntries(Object.entries(data ?? {}).reverse()),
      ...item,
      status: "complete",
    }));
    const quote = bridgeQuote([{ ...step, items } as Step]);
    const { client } = fakeService([success]);
    const { status } = await execute(client, { quote, state, verify: false, wallet: chain.wallet });
    expect(status).to.equal("success");
    expect(chain.sent).to.have.length(1);
  });

  it("refuses a state of another request and one that is not a state", async () => {
    const { client } = fakeService([success]);
    const { sent, wallet } = fakeChain();
    const other = { ...stateOf([]), requestId: `0x${"b1".repeat(32)}` };
    for (const state of [
      other,
      {},
      { ...stateOf([]), version: 2 },
      { ...stateOf([]), items: [{ status: "sent" }] },
    ]) {
      const parameters = { quote: bridgeQuote(), state, wallet } as ExecuteParameters;
      const error = await rejectionOf(execute(client, parameters));
      expect(error)
        .to.have.property("parameter")
        .that.matches(/^state\./);
    }
    expect(sent).to.deep.equal([]);
  });
});
