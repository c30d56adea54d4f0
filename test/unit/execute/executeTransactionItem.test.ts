import { expect } from "chai";
import { BrowserProvider, Wallet } from "ethers";
import { type Account, createWalletClient, custom } from "viem";
import type { ExecuteParameters } from "../../../src/execute/execute.ts";
import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import { stepIds } from "../../../src/schema/quote/step.ts";
import { bridgeQuote, depositStep } from "../client/support/samples.ts";
import { fail, submissions, succeed } from "./support/attempt.ts";
import { account, type FakeChain, fakeChain, reject, testKey } from "./support/fakeChain.ts";
import { approveStep, signatureStep } from "./support/steps.ts";

/** A chain whose node refuses the first `times` estimates after the approval's, as a lagging node does. */
const laggingChain = (times: number) =>
  fakeChain({
    allowances: [5n],
    onEstimate: (count) => {
      if (count > 0 && count <= times)
        reject(3, "execution reverted: ERC20: transfer amount exceeds allowance")();
    },
  });

/** The test account as a wallet of each library. */
const wallets = {
  ethers: (chain: FakeChain): ExecuteParameters["wallet"] =>
    new Wallet(testKey, new BrowserProvider(chain, "any", { cacheTimeout: -1 })),
  viem: ({ wallet }: FakeChain): ExecuteParameters["wallet"] => wallet,
};

describe("executeTransactionItem", () => {
  for (const id of [...stepIds, "an id of next year"]) {
    it(`executes a transaction and a signature of the step ${id}`, async () => {
      const steps = [{ ...depositStep(), id }, signatureStep(undefined, { body: { id } }, id)];
      const quote = quoteSchema.parse({ ...bridgeQuote(), steps });
      const { calls, sent } = await succeed({ quote, service: submissions() });
      expect(sent).to.have.length(1);
      expect(calls[0]).to.deep.include({ body: { id }, method: "POST", pathname: "/authorize" });
    });
  }

  for (const [value, wei] of [
    ["0x2a", 42n],
    ["42", 42n],
    [42, 42n],
    [undefined, 0n],
  ] as const) {
    it(`given the value ${JSON.stringify(value)}, sends ${wei} wei`, async () => {
      expect((await succeed({ steps: [depositStep({ value })] })).sent[0]?.value).to.equal(wei);
    });
  }

  it("sends nothing with an account that only makes user operations, and the item may be tried again", async () => {
    const chain = fakeChain();
    const smart = { address: account.address, type: "smart" } as unknown as Account;
    const wallet = createWalletClient({ account: smart, transport: custom(chain, { retryCount: 0 }) });
    const { error, sent } = await fail({ chain, wallet });
    expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: false });
    expect(sent).to.deep.equal([]);
  });

  for (const [library, walletOf] of Object.entries(wallets)) {
    const through = (chain: FakeChain, steps = [approveStep(), depositStep()]) => ({
      chain,
      steps,
      wallet: walletOf(chain),
    });

    it(`sends the quote's gas as the least, and the fees of the node, with ${library}`, async () => {
      const fees = { maxFeePerGas: "1", maxPriorityFeePerGas: "1" };
      const gasOf = async (more: { gas?: string }) =>
        (await succeed(through(fakeChain(), [depositStep({ ...fees, ...more })]))).sent[0]?.gas;
      // The fake node estimates 21,000.
      expect(await gasOf({ gas: "20000" })).to.equal(await gasOf({}));
      expect(await gasOf({ gas: "300000" })).to.equal(300_000n);
    });

    it(`estimates a deposit once more when the approval before it is not seen yet, with ${library}`, async () => {
      const { result, sent, sleeps } = await succeed(through(laggingChain(1)));
      expect(result.status).to.equal("success");
      expect(sent).to.have.length(2);
      expect(sleeps).to.deep.equal([1_000]);
    });

    it(`gives up after the second estimate that reverts, and has sent nothing, with ${library}`, async () => {
      const { error, sent, sleeps } = await fail(through(laggingChain(10)));
      expect(error).to.include({ code: "STEP_REJECTED", stepId: "deposit" });
      expect(sent).to.have.length(1);
      expect(sleeps).to.deep.equal([1_000]);
    });
  }
});

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
