import { expect } from "chai";
import type { PublicClient, Transport } from "viem";
import { createPublicClient, custom } from "viem";
import { BaseError } from "../../../../src/errors/BaseError.ts";
import { paymentLedger } from "../../../../src/execute/paymentLedger.ts";
import { fakeChain, reject } from "../support/fakeChain.ts";
import { attempt, localWallet, lyingNode, oddWallet } from "./attackStage.ts";

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

describe("execute and answers that are none", () => {
  beforeEach(() => paymentLedger.clear());

  for (const [what, answer] of [
    ["nothing", undefined],
    ["null", null],
    ["half a hash", "0x1234"],
    ["an object", { hash: "0x12" }],
  ] as const) {
    it(`a wallet that sent and answers ${what}: a later run of the process sends no second payment`, async () => {
      const chain = fakeChain();
      const first = await attempt(chain, { wallet: oddWallet(chain, () => answer) });
      expect(codeOf(first.error)).to.equal("PAYMENT_UNSETTLED");
      await attempt(chain);
      await attempt(chain, { wallet: oddWallet(chain, (hash) => hash) });
      expect(chain.sent).to.have.length(1);
    });

    it(`a wallet that sent and answers ${what}: another process takes the saved state, and sends no second payment`, async () => {
      const chain = fakeChain();
      const { saved } = await attempt(chain, { wallet: oddWallet(chain, () => answer) });
      paymentLedger.clear();
      const again = await attempt(chain, { state: saved });
      expect(codeOf(again.error)).to.not.equal("INVALID_PARAMETER");
      expect(chain.sent).to.have.length(1);
    });
  }

  it("a node that names block 2^53 + 1 before a signature: the state of the payment can be continued", async () => {
    const chain = fakeChain();
    const far = lyingNode(chain, (call, honest) =>
      call.method === "eth_blockNumber" ? "0x20000000000001" : honest(call),
    );
    const onProgress = () => {
      throw new Error("the process ends here");
    };
    const first = await attempt(chain, {
      onProgress,
      publicClient: createPublicClient({
        cacheTime: 0,
        transport: custom({ request: far }),
      }) as PublicClient<Transport>,
      wallet: localWallet(far),
    });
    paymentLedger.clear();
    const again = await attempt(chain, { state: first.saved });
    expect(codeOf(again.error)).to.equal(undefined);
    expect(chain.sent).to.have.length(1);
  });

  it("a wallet that answers a signature with text: the signature counts as not made, and the state can be continued", async () => {
    const chain = fakeChain();
    const { steps } = await import("../../client/support/samples.ts").then(({ bridgeQuote }) =>
      bridgeQuote(),
    );
    const { signatureStep } = await import("../support/steps.ts");
    const { bridgeQuote, requestId } = await import("../../client/support/samples.ts");
    const quote = bridgeQuote([{ ...signatureStep(), requestId }, ...steps]);
    const signer = {
      getAddress: async () => (chain.wallet.account?.address ?? "0x") as string,
      provider: { getNetwork: async () => ({ chainId: 31337n }) },
      sendTransaction: reject(4001, "no"),
      signMessage: async () => "signed!",
      signTypedData: async () => "signed!",
    };
    const first = await attempt(chain, { quote, wallet: signer as never });
    paymentLedger.clear();
    const again = await attempt(chain, { quote, state: first.saved });
    expect(codeOf(first.error)).to.equal("WALLET_FAILED");
    expect(codeOf(again.error)).to.equal(undefined);
  });

  it("a receipt without a block and a status, as of a pending transaction: is no reverted transaction", async () => {
    const chain = fakeChain();
    const early = lyingNode(chain, async (call, honest) => {
      const answer = await honest(call);
      if (call.method !== "eth_getTransactionReceipt" || answer === null) return answer;
      return { ...(answer as object), blockHash: null, blockNumber: null, status: null };
    });
    const publicClient = createPublicClient({ cacheTime: 0, transport: custom({ request: early }) });
    const { error } = await attempt(chain, { publicClient: publicClient as PublicClient<Transport> });
    expect(codeOf(error)).to.equal("PAYMENT_UNSETTLED");
  });

  it("a signer whose address never comes: the run ends within its time limit", async () => {
    const chain = fakeChain();
    const signer = {
      getAddress: () => new Promise<string>(() => undefined),
      provider: { getNetwork: async () => ({ chainId: 31337n }) },
      sendTransaction: reject(4001, "no"),
      signMessage: reject(4001, "no"),
      signTypedData: reject(4001, "no"),
    };
    const run = attempt(chain, { timeout: 100, wallet: signer as never });
    const late = new Promise((resolve) => setTimeout(resolve, 1_500, "late"));
    expect(await Promise.race([run, late])).to.not.equal("late");
  });

  it("a signer that fails to name its address: the error is one of the library", async () => {
    const chain = fakeChain();
    const signer = {
      getAddress: async () => reject(-32603, "the device is locked")(),
      provider: { getNetwork: async () => ({ chainId: 31337n }) },
      sendTransaction: reject(4001, "no"),
      signMessage: reject(4001, "no"),
      signTypedData: reject(4001, "no"),
    };
    const { error } = await attempt(chain, { wallet: signer as never });
    expect(error).to.be.instanceOf(BaseError);
  });

  for (const [what, fields] of [
    ["a sender that is no address", { from: "0x12" }],
    ["a target that is no address", { to: "0x12" }],
    ["calldata that is a number", { input: 7 }],
  ] as const) {
    it(`a wallet that sent, and a node that shows ${what}: the payment is open, and no error is untyped`, async () => {
      const chain = fakeChain();
      const request = lyingNode(chain, async (call, honest) => {
        const answer = await honest(call);
        if (call.method !== "eth_getTransactionByHash" || answer === null) return answer;
        return { ...(answer as object), ...fields };
      });
      const publicClient = createPublicClient({ cacheTime: 0, transport: custom({ request }) });
      const wallet = oddWallet(chain, (hash) => hash);
      const { error } = await attempt(chain, {
        publicClient: publicClient as PublicClient<Transport>,
        wallet,
      });
      expect(codeOf(error), String(error)).to.equal("PAYMENT_UNSETTLED");
    });
  }

  it("a node that names a negative fee: the wallet is not asked, and the payment is not open", async () => {
    const chain = fakeChain();
    const request = lyingNode(chain, async (call, honest) => {
      const answer = await honest(call);
      if (call.method !== "eth_getBlockByNumber") return answer;
      return { ...(answer as object), baseFeePerGas: "-1000" };
    });
    const publicClient = createPublicClient({ cacheTime: 0, transport: custom({ request }) });
    const wallet = oddWallet(chain, (hash) => hash);
    const { error } = await attempt(chain, { publicClient: publicClient as PublicClient<Transport>, wallet });
    expect(codeOf(error)).to.equal("STEP_REJECTED");
    expect(chain.sent).to.have.length(0);
    const again = await attempt(chain, { wallet });
    expect(again.status).to.equal("success");
  });

  for (const [what, code] of [
    ["a symbol", Symbol("code")],
    ["an object without text", Object.create(null)],
  ] as const) {
    it(`a signer that sent and fails with ${what} as its code: the payment is open, and no error is untyped`, async () => {
      const chain = fakeChain();
      const wallet = oddWallet(chain, (hash) => hash);
      const signer = {
        getAddress: async () => String(chain.wallet.account?.address),
        provider: { getNetwork: async () => ({ chainId: 31337n }) },
        sendTransaction: async ({ data, to, value }: { data: string; to: string; value: bigint }) => {
          const call = { data, gas: "0x5208", to, value: `0x${value.toString(16)}` };
          await wallet.request({ method: "eth_sendTransaction", params: [call] } as never);
          throw Object.assign(new Error("odd"), { code });
        },
        signMessage: reject(4001, "no"),
        signTypedData: reject(4001, "no"),
      };
      const { error } = await attempt(chain, { wallet: signer as never });
      expect(chain.sent).to.have.length(1);
      expect(codeOf(error), String(error)).to.equal("PAYMENT_UNSETTLED");
    });
  }
});
