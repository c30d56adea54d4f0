import { expect } from "chai";
import { BrowserProvider } from "ethers";
import { createWalletClient, custom, type Hex, hashTypedData, recoverTypedDataAddress } from "viem";
import type { ExecuteProgress } from "../../../src/execute/Run.ts";
import { contractSignature } from "../../helpers/batchWallet.ts";
import { json } from "../client/support/fakeService.ts";
import { depositStep } from "../client/support/samples.ts";
import { type AttemptParameters, fail, submissions, succeed } from "./support/attempt.ts";
import { account, fakeChain, refusingWallet } from "./support/fakeChain.ts";
import { expectMessageSignatures } from "./support/messageSignatures.ts";
import { hello, signatureStep } from "./support/steps.ts";

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
const message = { ...typedData.value, amount: 2n ** 200n };
const eip712 = { ...typedData, signatureKind: "eip712" };

/** Parameters of a run that signs typed data, whose submissions are answered with `answers`. */
const signing = (...answers: Parameters<typeof submissions>): AttemptParameters => ({
  service: submissions(...answers),
  steps: [signatureStep(eip712)],
});
const posts = (calls: readonly { method: string }[]) =>
  calls.filter(({ method }) => method === "POST").length;

describe("execute with signatures", () => {
  // @spec steps/signature
  it("signs typed data exactly, numbers beyond 64 bits included, and posts the body unchanged", async () => {
    const { calls, result } = await succeed(signing());
    const post = { body: { kind: "permit2" }, method: "POST", pathname: "/authorize" };
    expect(calls[0]).to.deep.include(post);
    const signature = calls[0]?.query.signature as Hex;
    expect(await recoverTypedDataAddress({ ...typedData, message, signature })).to.equal(account.address);
    expect(result).to.deep.include({ originReceipts: [], status: "success", txHashes: ["0x02"] });
  });

  it("signs 32 bytes in hexadecimal as bytes and anything else as text", () =>
    expectMessageSignatures(hashTypedData({ ...typedData, message }), fakeChain().wallet));

  // @spec steps/order
  it("submits signatures one after the other, in the order of the steps", async () => {
    const ids = ["authorize", "authorize1", "authorize2"];
    const steps = ids.map((id) => signatureStep(hello, { body: { id } }, id));
    const { calls } = await succeed({ service: submissions(), steps });
    expect(calls.slice(0, 3).map(({ body }) => body)).to.deep.equal(ids.map((id) => ({ id })));
  });

  // @spec steps/signature
  it("adds the signature to the query that an endpoint has, and drops nothing of it", async () => {
    const steps = [signatureStep(hello, { endpoint: "/execute/permits?api=v2&list=a&list=b" })];
    const { calls } = await succeed({ service: submissions(), steps });
    const { pathname, searchParams } = new URL(calls[0]?.url ?? "");
    expect(pathname).to.equal("/execute/permits");
    expect([...searchParams.keys()]).to.deep.equal(["api", "list", "list", "signature"]);
    expect(searchParams.getAll("list")).to.deep.equal(["a", "b"]);
    expect(searchParams.get("signature")).to.match(/^0x[0-9a-f]{130}$/);
  });

  it("submits the signature of a contract account as it is, deployed or not", async () => {
    const request = async ({ method }: { method: string }) => {
      if (method === "eth_chainId") return "0x7a69";
      if (method === "eth_accounts") return [account.address];
      if (method === "personal_sign" || method === "eth_signTypedData_v4") return contractSignature;
      throw new Error(`unexpected ${method}`);
    };
    const viemWallet = createWalletClient({ account: account.address, transport: custom({ request }) });
    const signer = await new BrowserProvider({ request }, 31337).getSigner(account.address);
    for (const wallet of [viemWallet, signer]) {
      for (const sign of [hello, eip712]) {
        const { calls } = await succeed({ service: submissions(), steps: [signatureStep(sign)], wallet });
        expect(calls[0]?.query.signature).to.equal(contractSignature);
      }
    }
  });

  it("executes the steps that the service appends, and those appended to them", async () => {
    const appended = [json({ steps: [signatureStep()] }), json({ steps: [depositStep()] })];
    const { calls, result, sent } = await succeed(signing(...appended));
    expect(posts(calls)).to.equal(2);
    expect(sent).to.have.length(1);
    expect(result.state.appendedSteps.map(({ id }) => id)).to.deep.equal(["authorize", "deposit"]);
  });

  it("checks all appended steps before it sends the first", async () => {
    const appended = [depositStep(), depositStep({ chainId: 10 })];
    const { error, sent } = await fail(signing(json({ steps: appended })));
    expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
    expect(error).to.have.nested.property("cause.stepIndex", 2);
    expect(sent).to.deep.equal([]);
  });

  it("stops a service that appends steps without end", async () => {
    const endless = Array.from({ length: 100 }, () => json({ steps: [signatureStep()] }));
    const { calls, error } = await fail(signing(...endless));
    expect(error).to.have.nested.property("cause.reason").that.includes("more than 16 steps");
    expect(calls.length).to.be.lessThan(20);
  });

  it("goes on with appended steps after a crash, without signing again", async () => {
    const parameters = signing(json({ steps: [depositStep()] }));
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && event.phase === "complete") throw new Error("crash");
    };
    const { state } = await fail({ ...parameters, onProgress });
    const { calls, sent } = await succeed({ ...parameters, state: JSON.parse(JSON.stringify(state)) });
    expect(posts(calls)).to.equal(1);
    expect(sent).to.have.length(1);
  });

  const answers = [
    { answer: json({ message: "expired" }, 400), when: "the service refuses it" },
    { answer: json({}, 500), when: "the service fails" },
    { answer: new TypeError("socket hang up"), when: "the connection breaks" },
  ];
  for (const { answer, when } of answers) {
    it(`P7: leaves the outcome open when ${when}, and a later run submits the same signature`, async () => {
      const parameters = signing(answer);
      const { calls, error, state } = await fail(parameters);
      expect(error).to.include({ code: "PAYMENT_UNSETTLED", stepId: "authorize" });
      expect((error as Error).message).to.not.match(/nothing was sent/i);
      expect(calls).to.have.length(1);
      await succeed({ ...parameters, state, wallet: refusingWallet() });
      expect(new Set(calls.slice(0, 2).map(({ query }) => query.signature))).to.have.length(1);
      expect(posts(calls)).to.equal(2);
    });
  }

  for (const [phase, submitted] of Object.entries({ signing: 0, submitting: 0, complete: 1 })) {
    it(`stops when the caller aborts at any event, and never submits a signature twice: ${phase}`, async () => {
      const parameters = signing();
      const controller = new AbortController();
      const onProgress = (event: ExecuteProgress) => {
        if (event.type === "item" && event.phase === phase) controller.abort();
      };
      const { calls, error, state } = await fail({ ...parameters, onProgress, signal: controller.signal });
      expect(error).to.have.property("code", "ABORTED");
      expect(posts(calls)).to.equal(submitted);
      await succeed({ ...parameters, state });
      expect(posts(calls)).to.equal(1);
    });
  }

  it("submits the same signature again when the caller aborted while it was submitted", async () => {
    const controller = new AbortController();
    const parameters = signing(() => {
      controller.abort();
      return new Promise(() => undefined);
    });
    const { calls, error, state } = await fail({ ...parameters, signal: controller.signal });
    expect(error).to.have.property("code", "ABORTED");
    await succeed({ ...parameters, state, wallet: refusingWallet() });
    expect(new Set(calls.slice(0, 2).map(({ query }) => query.signature))).to.have.length(1);
  });

  it("posts nothing when the wallet refuses to sign", async () => {
    const { calls, error } = await fail({ ...signing(), wallet: refusingWallet() });
    expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: true });
    expect(calls).to.deep.equal([]);
  });
});
