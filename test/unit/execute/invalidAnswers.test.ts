import { expect } from "chai";
import { numberToHex } from "viem";
import type { EthersSigner, ExecutionState } from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { bridgeQuote, depositStep, requestId } from "../client/support/samples.ts";
import {
  alterNode,
  codeOf,
  localWallet,
  readerOf,
  sendingWallet,
  tryPayment,
} from "./support/alteredAnswers.ts";
import { account, type FakeChain, fakeChain, reject } from "./support/fakeChain.ts";
import { signatureStep } from "./support/steps.ts";

describe("execute and invalid answers of wallets and nodes", () => {
  beforeEach(() => paymentLedger.clear());

  for (const [what, answer] of [
    ["nothing", undefined],
    ["null", null],
    ["half a hash", "0x1234"],
    ["an object", { hash: "0x12" }],
  ] as const) {
    it(`a wallet that sent and answers ${what}: a later run of the process sends no second payment`, async () => {
      const chain = fakeChain();
      const first = await tryPayment(chain, { wallet: sendingWallet(chain, () => answer) });
      expect(codeOf(first.error)).to.equal("PAYMENT_UNSETTLED");
      await tryPayment(chain);
      await tryPayment(chain, { wallet: sendingWallet(chain, (hash) => hash) });
      expect(chain.sent).to.have.length(1);
    });

    it(`a wallet that sent and answers ${what}: another process takes the saved state, and sends no second payment`, async () => {
      const chain = fakeChain();
      const { saved } = await tryPayment(chain, { wallet: sendingWallet(chain, () => answer) });
      paymentLedger.clear();
      const again = await tryPayment(chain, { state: saved });
      expect(codeOf(again.error)).to.not.equal("INVALID_PARAMETER");
      expect(chain.sent).to.have.length(1);
    });
  }

  it("a node that names block 2^53 + 1 before a signature: the state of the payment can be continued", async () => {
    const chain = fakeChain();
    const far = alterNode(chain, (call, honest) =>
      call.method === "eth_blockNumber" ? "0x20000000000001" : honest(call),
    );
    const onProgress = () => {
      throw new Error("the process ends here");
    };
    const first = await tryPayment(chain, {
      onProgress,
      publicClient: readerOf(far),
      wallet: localWallet(far),
    });
    paymentLedger.clear();
    const again = await tryPayment(chain, { state: first.saved });
    expect(codeOf(again.error)).to.equal(undefined);
    expect(chain.sent).to.have.length(1);
  });

  /** A signer of ethers without functions that fill in or send. */
  const signerOf = (chain: FakeChain, functions: object) =>
    ({
      getAddress: async () => account.address,
      provider: {
        getNetwork: async () => ({ chainId: 31337n }),
        send: (method: string, params: unknown[]) => chain.request({ method, params }),
      },
      signMessage: reject(4001, "no"),
      signTransaction: reject(4001, "no"),
      signTypedData: reject(4001, "no"),
      ...functions,
    }) as EthersSigner;

  it("a wallet that answers a signature with text: the signature counts as not made, and the state can be continued", async () => {
    const chain = fakeChain();
    const quote = bridgeQuote([{ ...signatureStep(), requestId }, depositStep()]);
    const wallet = signerOf(chain, { signMessage: async () => "signed!" });
    const first = await tryPayment(chain, { quote, wallet });
    paymentLedger.clear();
    const again = await tryPayment(chain, { quote, state: first.saved });
    expect(codeOf(first.error)).to.equal("WALLET_FAILED");
    expect(codeOf(again.error)).to.equal(undefined);
  });

  it("a receipt without a block and a status, as of a pending transaction: is no reverted transaction", async () => {
    const chain = fakeChain();
    const early = alterNode(chain, async (call, honest) => {
      const answer = await honest(call);
      if (call.method !== "eth_getTransactionReceipt" || answer === null) return answer;
      return { ...(answer as object), blockHash: null, blockNumber: null, status: null };
    });
    const publicClient = readerOf(early);
    const { error } = await tryPayment(chain, { publicClient });
    expect(codeOf(error)).to.equal("PAYMENT_UNSETTLED");
  });

  it("a signer that fails to name its address: the error is one of the library, with the signer's reason", async () => {
    const chain = fakeChain();
    const wallet = signerOf(chain, { getAddress: async () => reject(-32603, "the device is locked")() });
    const { error } = await tryPayment(chain, { wallet });
    expect(codeOf(error)).to.equal("INVALID_PARAMETER");
    expect(error).to.have.property("message").that.includes("the device is locked");
  });

  for (const [what, fields] of [
    ["a sender that is no address", { from: "0x12" }],
    ["a target that is no address", { to: "0x12" }],
    ["calldata that is a number", { input: 7 }],
  ] as const) {
    it(`a wallet that sent, and a node that shows ${what}: the payment is open, and no error is untyped`, async () => {
      const chain = fakeChain();
      const request = alterNode(chain, async (call, honest) => {
        const answer = await honest(call);
        if (call.method !== "eth_getTransactionByHash" || answer === null) return answer;
        return { ...(answer as object), ...fields };
      });
      const publicClient = readerOf(request);
      const wallet = sendingWallet(chain, (hash) => hash);
      const { error } = await tryPayment(chain, {
        publicClient,
        wallet,
      });
      expect(codeOf(error), String(error)).to.equal("PAYMENT_UNSETTLED");
    });
  }

  for (const [what, tip, baseFeePerGas] of [
    ["fee", "0x1", "-1000"],
    ["tip", "-5", "0x3e8"],
  ]) {
    it(`a node that names a negative ${what}: the wallet is not asked, and the payment is not open`, async () => {
      const chain = fakeChain();
      const request = alterNode(chain, async (call, honest) => {
        if (call.method === "eth_maxPriorityFeePerGas") return tip;
        const answer = await honest(call);
        return call.method === "eth_getBlockByNumber" ? { ...(answer as object), baseFeePerGas } : answer;
      });
      const publicClient = readerOf(request);
      const wallet = sendingWallet(chain, (hash) => hash);
      const { error } = await tryPayment(chain, {
        publicClient,
        wallet,
      });
      expect(codeOf(error)).to.equal("STEP_REJECTED");
      expect(chain.sent).to.have.length(0);
      const again = await tryPayment(chain, { wallet });
      expect(again.status).to.equal("success");
    });
  }

  it("a node that shows a sent payment without its hash: a later run sends no second one", async () => {
    const chain = fakeChain();
    const { saved: state } = await tryPayment(chain, { wallet: sendingWallet(chain, () => null) });
    const request = alterNode(chain, async (call, honest) => {
      const answer = await honest(call);
      const [payment] = chain.sent;
      if (call.method !== "eth_getBlockByNumber" || payment === undefined) return answer;
      const { data: input, to, value } = payment;
      const shown = { from: account.address, input, to, value: numberToHex(value) };
      return { ...(answer as object), transactions: [shown] };
    });
    const publicClient = readerOf(request);
    const wallet = sendingWallet(chain, (hash) => hash);
    const more = { publicClient, state, wallet };
    expect(codeOf((await tryPayment(chain, more)).error)).to.equal("PAYMENT_UNSETTLED");
    expect(chain.sent).to.have.length(1);
  });

  it("an item `sending` whose transaction a person found: the same process follows it", async () => {
    const chain = fakeChain();
    const { saved } = await tryPayment(chain, { wallet: sendingWallet(chain, () => null) });
    const items = saved?.items.map((entry) => ({
      ...entry,
      status: "sent" as const,
      txHash: chain.sent[0]?.hash,
    }));
    const { status } = await tryPayment(chain, { state: { ...saved, items } as ExecutionState });
    expect(status).to.equal("success");
    expect(chain.sent).to.have.length(1);
  });
});
