import { expect } from "chai";
import { createWalletClient, custom, type Hex, keccak256, numberToHex } from "viem";
import type { EthersSigner, ExecuteProgress, ExecutionState } from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { rpcTransaction } from "../../helpers/rpcTransaction.ts";
import { json } from "../client/support/fakeService.ts";
import { bridgeQuote, depositStep, requestId } from "../client/support/samples.ts";
import {
  alterNode,
  codeOf,
  localWallet,
  readerOf,
  sendingWallet,
  tryPayment,
} from "./support/alteredAnswers.ts";
import { submissions } from "./support/attempt.ts";
import { account, type FakeChain, fakeChain, reject } from "./support/fakeChain.ts";
import { approveStep, signatureStep } from "./support/steps.ts";

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

describe("execute and a transaction under another hash", () => {
  beforeEach(() => paymentLedger.clear());

  it("a node that keeps the bytes and shows them under another hash: the state keeps them, and a later run sends them", async () => {
    const [chain, honest] = [fakeChain(), fakeChain()];
    let raw: Hex = "0x";
    const request = alterNode(chain, async ({ method, params = [] }, ask) => {
      if (method === "eth_sendRawTransaction") {
        raw = params[0] as Hex;
        return keccak256(raw);
      }
      if (method === "eth_getTransactionByHash" || method === "eth_getTransactionReceipt") return null;
      if (method === "eth_getTransactionCount") return raw === "0x" ? "0x0" : "0x1";
      const answer = await ask({ method, params });
      if (method !== "eth_getBlockByNumber" || params[1] !== true || raw === "0x") return answer;
      return {
        ...(answer as object),
        transactions: [{ ...rpcTransaction(raw, account.address), hash: `0x${"77".repeat(32)}` }],
      };
    });
    const publicClient = readerOf(request);
    const { error, saved } = await tryPayment(chain, {
      publicClient,
      timeout: 2_000,
      wallet: localWallet(request),
    });
    expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
    paymentLedger.clear();
    expect((await tryPayment(honest, { state: saved as never })).status).to.equal("success");
    expect(honest.sent.map(({ hash }) => hash)).to.deep.equal([keccak256(raw)]);
  });
});

describe("execute with a key of this process", () => {
  beforeEach(() => paymentLedger.clear());

  it("a node that counts the approval too late: the deposit is signed with the next nonce", async () => {
    const chain = fakeChain({ allowances: [5n] });
    const request = alterNode(chain, (call, honest) =>
      call.method === "eth_getTransactionCount" ? "0x0" : honest(call),
    );
    const nonces: unknown[] = [];
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && event.phase === "sending") nonces.push(event.state.items.at(-1)?.nonce);
    };
    const publicClient = readerOf(request);
    const { status } = await tryPayment(chain, {
      onProgress,
      publicClient,
      quote: bridgeQuote([approveStep(), depositStep()]),
      wallet: localWallet(request),
    });
    expect(status).to.equal("success");
    expect(nonces).to.deep.equal([0, 1]);
  });

  it("a local account whose signTransaction throws at once: the wallet failed, and nothing was sent", async () => {
    const chain = fakeChain();
    const signTransaction = () => {
      throw new Error("the device is locked");
    };
    const { error } = await tryPayment(chain, {
      wallet: createWalletClient({
        account: { ...account, signTransaction },
        transport: custom({ request: chain.request }, { retryCount: 0 }),
      }),
    });
    expect(error).to.have.property("code", "WALLET_FAILED");
    expect(chain.sent).to.deep.equal([]);
  });
});

const stateWith = (more: object) => ({ appendedSteps: [], items: [], requestId, version: 1, ...more });

describe("execute and hostile states and appended steps", () => {
  beforeEach(() => paymentLedger.clear());

  it("a state that calls the payment complete without its hash: is no success", async () => {
    const chain = fakeChain();
    const items = [{ itemIndex: 0, status: "complete", stepIndex: 0 }];
    const { error, status } = await tryPayment(chain, { state: stateWith({ items }) as never });
    expect(chain.sent).to.have.length(0);
    expect(status).to.equal(undefined);
    expect(codeOf(error)).to.equal("INVALID_PARAMETER");
  });

  it("a payment of native currency whose calldata looks like an approval: is paid once", async () => {
    const chain = fakeChain({ allowances: [5n] });
    const [approval] = approveStep().items as unknown as [{ data: { data: string } }];
    const quote = bridgeQuote([depositStep({ data: approval.data.data })]);
    await tryPayment(chain, { quote });
    const again = await tryPayment(chain, { quote });
    expect(codeOf(again.error)).to.equal("PAYMENT_CLAIMED");
    expect(chain.sent).to.have.length(1);
  });

  const permission = {
    domain: {},
    primaryType: "TransferWithAuthorization",
    signatureKind: "eip712",
    types: { TransferWithAuthorization: [] },
    value: {},
  };
  const permitted = () => bridgeQuote([{ ...signatureStep(permission), requestId }]);

  it("a service that takes a permission and appends a step of no kind: the error says that a payment is open", async () => {
    const service = submissions(json({ steps: [{ ...depositStep(), kind: "carrier-pigeon" }] }));
    const { error, saved } = await tryPayment(fakeChain(), { quote: permitted(), service });
    expect(codeOf(error)).to.equal("PAYMENT_UNSETTLED");
    paymentLedger.clear();
    // The request ended well meanwhile, which no later run may learn.
    const again = await tryPayment(fakeChain(), { quote: permitted(), service, state: saved });
    expect(codeOf(again.error)).to.equal("PAYMENT_UNSETTLED");
  });
});
