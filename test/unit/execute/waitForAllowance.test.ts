import { expect } from "chai";
import type { ExecuteParameters } from "../../../src/execute/execute.ts";
import { depositStep } from "../client/support/samples.ts";
import { fail, succeed } from "./support/attempt.ts";
import { fakeChain } from "./support/fakeChain.ts";
import { approveStep } from "./support/steps.ts";

/** An approval and a deposit, on a chain whose reads see `allowances`. */
const approving = (amount: bigint, allowances: readonly bigint[], more: Partial<ExecuteParameters> = {}) => ({
  chain: fakeChain({ allowances }),
  steps: [approveStep(amount), depositStep()],
  ...more,
});
const reads = (methods: readonly string[]) => methods.filter((method) => method === "eth_call").length;

describe("waitForAllowance", () => {
  it("does not send the deposit before the allowance is visible", async () => {
    const { chain, sleeps } = await succeed(approving(5n, [0n, 4n, 5n]));
    expect(reads(chain.methods)).to.equal(3);
    expect(sleeps).to.deep.equal([1_000, 1_000]);
    const sentAt = chain.methods.lastIndexOf("eth_sendRawTransaction");
    expect(chain.methods.lastIndexOf("eth_call")).to.be.lessThan(sentAt);
  });

  it("gives up when the allowance never becomes visible, and has sent no deposit", async () => {
    const { error, sent } = await fail(approving(5n, [4n], { timeout: 3_000 }));
    expect(error).to.have.property("code", "TIMEOUT");
    expect(error).to.have.property("operation").that.includes("allowance");
    expect(sent).to.have.length(1);
  });

  it("waits for zero after an approval of zero", async () => {
    expect(reads((await succeed(approving(0n, [7n, 0n]))).chain.methods)).to.equal(2);
  });

  it("accepts 96 bits for an unlimited approval, the most that some tokens store", async () => {
    const { chain } = await succeed(approving(2n ** 256n - 1n, [2n ** 96n - 1n]));
    expect(reads(chain.methods)).to.equal(1);
  });

  it("ends the wait when another process spent the allowance by a later nonce", async () => {
    const { chain, ...more } = approving(5n, [0n]);
    const onProgress: ExecuteParameters["onProgress"] = (event) => {
      const [approval] = chain.sent;
      const isWaiting = event.type === "item" && event.phase === "allowance";
      if (isWaiting && approval) chain.sent.push({ ...approval, hash: "0x01" });
    };
    const { sleeps } = await succeed({ ...more, chain, onProgress });
    expect(sleeps).to.deep.equal([]);
    expect(reads(chain.methods)).to.equal(1);
  });
});
