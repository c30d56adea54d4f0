import { expect } from "chai";
import { type Hex, hashTypedData, recoverMessageAddress, recoverTypedDataAddress } from "viem";
import { HttpError } from "../../../src/errors/HttpError.ts";
import type { ExecutionState } from "../../../src/execute/ExecutionState.ts";
import { execute } from "../../../src/execute/execute.ts";
import type { ExecuteProgress } from "../../../src/execute/Run.ts";
import type { Step } from "../../../src/schema/quote/step.ts";
import { type Answer, fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import { bridgeQuote, depositStep, requestId, statusAnswer } from "../client/support/samples.ts";
import { account, fakeChain, refusingWallet } from "./support/fakeChain.ts";

const typedData = {
  domain: { chainId: 31337, name: "Permit", verifyingContract: account.address, version: "1" },
  primaryType: "Grant",
  types: {
    Grant: [
      { name: "amount", type: "uint256" },
      { name: "spender", type: "address" },
    ],
  },
  value: { amount: (2n ** 200n).toString(), spender: account.address },
} as const;

const eip712 = { ...typedData, signatureKind: "eip712" };

function signatureStep(sign: unknown = eip712, post: Record<string, unknown> = {}): Step {
  return {
    action: "Sign",
    description: "Sign the permit",
    id: "authorize",
    items: [
      {
        data: {
          post: {
            body: { kind: "permit2", requestId },
            endpoint: "/execute/permits",
            method: "POST",
            ...post,
          },
          sign,
        },
        status: "incomplete",
      },
    ],
    kind: "signature",
    requestId,
  } as Step;
}

/** A service that answers submissions with `answers`, in order, and every status with success. */
function service(...answers: Answer[]) {
  let submissions = 0;
  return fakeService([
    async (call, signal) => {
      if (call.method === "GET") return json(statusAnswer("success", { txHashes: ["0x02"] }));
      const answer = answers[submissions++] ?? json({});
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer : answer(call, signal);
    },
  ]);
}

describe("execute with signatures", () => {
  it("signs typed data exactly, numbers beyond 64 bits included, and posts the body unchanged", async () => {
    const { calls, client } = service();
    const { wallet } = fakeChain();
    const result = await execute(client, { quote: bridgeQuote([signatureStep()]), verify: false, wallet });
    expect(calls[0]).to.deep.include({
      body: { kind: "permit2", requestId },
      method: "POST",
      pathname: "/execute/permits",
    });
    const signer = await recoverTypedDataAddress({
      ...typedData,
      message: { ...typedData.value, amount: 2n ** 200n },
      signature: calls[0]?.query.signature as Hex,
    });
    expect(signer).to.equal(account.address);
    expect(result).to.deep.include({ originReceipts: [], status: "success", txHashes: ["0x02"] });
  });

  it("signs 32 bytes in hexadecimal as bytes and anything else as text", async () => {
    const digest = hashTypedData({ ...typedData, message: { ...typedData.value, amount: 2n ** 200n } });
    for (const [message, signed] of [
      [digest, { raw: digest }],
      ["hello", "hello"],
      ["0x1234", "0x1234"],
    ] as const) {
      const { calls, client } = service();
      const quote = bridgeQuote([signatureStep({ message, signatureKind: "eip191" })]);
      await execute(client, { quote, verify: false, wallet: fakeChain().wallet });
      const signature = calls[0]?.query.signature as Hex;
      expect(await recoverMessageAddress({ message: signed, signature })).to.equal(account.address);
    }
  });

  it("executes the steps that the service appends, and theirs too", async () => {
    const { calls, client } = service(json({ steps: [signatureStep()] }), json({ steps: [depositStep()] }));
    const { sent, wallet } = fakeChain();
    const { state } = await execute(client, { quote: bridgeQuote([signatureStep()]), verify: false, wallet });
    expect(calls.filter(({ method }) => method === "POST")).to.have.length(2);
    expect(sent).to.have.length(1);
    expect(state.appendedSteps.map(({ id }) => id)).to.deep.equal(["authorize", "deposit"]);
  });

  it("checks appended steps before it touches them", async () => {
    const { client } = service(json({ steps: [depositStep(), depositStep({ chainId: 10 })] }));
    const { sent, wallet } = fakeChain();
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote([signatureStep()]), verify: false, wallet }),
    );
    expect(error).to.include({ code: "STEP_REJECTED", stepIndex: 2 });
    expect(sent).to.deep.equal([]);
  });

  it("stops a service that appends steps without end", async () => {
    const forEver = Array.from({ length: 100 }, () => json({ steps: [signatureStep()] }));
    const { calls, client } = service(...forEver);
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote([signatureStep()]), verify: false, wallet: fakeChain().wallet }),
    );
    expect(error).to.have.property("reason").that.includes("more than 16 steps");
    expect(calls.length).to.be.lessThan(20);
  });

  it("goes on with appended steps after a crash, without signing again", async () => {
    const { calls, client } = service(json({ steps: [depositStep()] }));
    const { sent, wallet } = fakeChain();
    const quote = bridgeQuote([signatureStep()]);
    let saved = "";
    const onProgress = (event: ExecuteProgress) => {
      saved = JSON.stringify(event.state);
      if (event.type === "item" && event.phase === "complete") throw new Error("crash");
    };
    await rejectionOf(execute(client, { onProgress, quote, verify: false, wallet }));
    await execute(client, { quote, state: JSON.parse(saved), verify: false, wallet });
    expect(calls.filter(({ method }) => method === "POST")).to.have.length(1);
    expect(sent).to.have.length(1);
  });

  it("hands a signature in once, and lets it be tried again only when the service refused it", async () => {
    for (const [answer, isKnown] of [
      [json({ message: "expired" }, 400), true],
      [json({}, 500), false],
      [new TypeError("socket hang up"), false],
    ] as const) {
      const { calls, client } = service(answer);
      const quote = bridgeQuote([signatureStep()]);
      let state: ExecutionState | undefined;
      const onProgress = (event: ExecuteProgress) => {
        state = event.state;
      };
      await rejectionOf(execute(client, { onProgress, quote, verify: false, wallet: fakeChain().wallet }));
      expect(calls).to.have.length(1);
      const again = execute(client, { quote, state, verify: false, wallet: fakeChain().wallet });
      if (isKnown) expect((await again).status).to.equal("success");
      else expect(await rejectionOf(again)).to.have.property("code", "STEP_REJECTED");
    }
  });

  it("reports the refusal of the service with its own words", async () => {
    const { client } = service(json({ message: "Permit expired" }, 400));
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote([signatureStep()]), verify: false, wallet: fakeChain().wallet }),
    );
    expect(error).to.be.instanceOf(HttpError);
    expect(error).to.include({ details: "Permit expired", status: 400 });
  });

  it("stops when the caller aborts at any event, and never hands a signature in twice", async () => {
    const quote = bridgeQuote([signatureStep()]);
    for (const [at, phase] of ["signing", "submitting", "complete"].entries()) {
      const { calls, client } = service();
      const controller = new AbortController();
      let state: ExecutionState | undefined;
      const onProgress = (event: ExecuteProgress) => {
        state = event.state;
        if (event.type === "item" && event.phase === phase) controller.abort();
      };
      const { signal } = controller;
      const wallet = fakeChain().wallet;
      const error = await rejectionOf(execute(client, { onProgress, quote, signal, verify: false, wallet }));
      expect(error).to.have.property("code", "ABORTED");
      const posts = () => calls.filter(({ method }) => method === "POST").length;
      expect(posts(), phase).to.equal(at < 2 ? 0 : 1);
      await execute(client, { quote, state, verify: false, wallet });
      expect(posts(), phase).to.equal(1);
    }
  });

  it("does not know whether a signature was taken when the caller aborts while it is handed in", async () => {
    const controller = new AbortController();
    const { calls, client } = service(() => {
      controller.abort();
      return new Promise(() => undefined);
    });
    let state: ExecutionState | undefined;
    const onProgress = (event: ExecuteProgress) => {
      state = event.state;
    };
    const quote = bridgeQuote([signatureStep()]);
    const { signal } = controller;
    const { wallet } = fakeChain();
    const error = await rejectionOf(execute(client, { onProgress, quote, signal, verify: false, wallet }));
    expect(error).to.have.property("code", "ABORTED");
    expect(await rejectionOf(execute(client, { quote, state, verify: false, wallet }))).to.have.property(
      "code",
      "STEP_REJECTED",
    );
    expect(calls).to.have.length(1);
  });

  it("posts nothing when the wallet refuses to sign", async () => {
    const { calls, client } = service();
    const error = await rejectionOf(
      execute(client, { quote: bridgeQuote([signatureStep()]), verify: false, wallet: refusingWallet() }),
    );
    expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: true });
    expect(calls).to.deep.equal([]);
  });
});
