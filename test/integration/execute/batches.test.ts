import { expect } from "chai";
import { BrowserProvider } from "ethers";
import { type Address, createWalletClient, custom, erc20Abi, parseUnits, zeroAddress } from "viem";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import {
  type ExecuteParameters,
  type ExecuteProgress,
  type ExecutionState,
  execute,
} from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { type BatchWallet, deployBatchWallet } from "../../helpers/batchWallet.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { impatientClient } from "../../helpers/impatientClient.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
import { rejectionOf } from "../../unit/client/support/fakeService.ts";

const recipient = "0x00000000000000000000000000000000000a11ce";

describe("execute with a wallet that supports batches", () => {
  const fixture = useEmulator();

  /** A new contract account with money, and a wallet for it. */
  async function newAccount(): Promise<BatchWallet> {
    const account = await deployBatchWallet(fixture.alpha.wallet(4), fixture.alpha.reader);
    for (const symbol of ["USDC", "USDT"]) {
      await fixture.alpha.wallet(4).writeContract({
        abi: erc20Abi,
        address: fixture.alpha.currency(symbol),
        args: [account.address, parseUnits("100", 6)],
        functionName: "transfer",
      });
    }
    return account;
  }

  function quoteFor(user: Address, symbol = "USDC", amount = parseUnits("10", 6)): Promise<Quote> {
    return getQuote(
      fixture.client,
      bridgeIntent(fixture, {
        amount,
        destinationCurrency: symbol === "ETH" ? zeroAddress : fixture.beta.currency(symbol),
        originCurrency: symbol === "ETH" ? zeroAddress : fixture.alpha.currency(symbol),
        recipient,
        user,
      }),
    );
  }

  const walletOf = (account: BatchWallet) =>
    createWalletClient({ account: account.address, transport: custom(account, { retryCount: 0 }) });

  const run = (account: BatchWallet, quote: Quote, more: Partial<ExecuteParameters> = {}) =>
    execute(fixture.client, {
      quote,
      timeout: 20_000,
      verify: false,
      wallet: walletOf(account),
      ...more,
    });

  const allowanceOf = (owner: Address, symbol: string) =>
    fixture.alpha.reader.readContract({
      abi: erc20Abi,
      address: fixture.alpha.currency(symbol),
      args: [owner, fixture.alpha.info.contracts.v3.approvalProxy],
      functionName: "allowance",
    });

  const asked = ({ methods }: BatchWallet, method: string) =>
    methods.filter((each) => each === method).length;

  /** Keeps the last report. */
  function recorder(): {
    onProgress: (event: ExecuteProgress) => void;
    phases: string[];
    state?: ExecutionState;
  } {
    const kept: ReturnType<typeof recorder> = {
      onProgress: (event) => {
        kept.state = JSON.parse(JSON.stringify(event.state));
        if (event.type === "item") kept.phases.push(`${event.step.id} ${event.phase}`);
      },
      phases: [],
    };
    return kept;
  }

  it("sends approval and deposit as one transaction from a bundler", async () => {
    const account = await newAccount();
    const kept = recorder();
    const result = await run(account, await quoteFor(account.address), { onProgress: kept.onProgress });
    expect(account.hashes).to.have.length(1);
    expect(result.status).to.equal("success");
    expect(result.originReceipts.map(({ transactionHash }) => transactionHash)).to.deep.equal(account.hashes);
    expect(result.originReceipts[0]).to.include({ status: "success" });
    expect(kept.phases).to.deep.equal([
      "approve sending",
      "deposit sending",
      "approve confirming",
      "deposit confirming",
      "approve complete",
      "deposit complete",
    ]);
    expect(await allowanceOf(account.address, "USDC")).to.equal(0n);
  });

  it("sends approval and deposit as one transaction with a signer of ethers", async () => {
    const account = await newAccount();
    const wallet = await new BrowserProvider(account, fixture.alpha.info.id).getSigner(account.address);
    const { originReceipts } = await run(account, await quoteFor(account.address), { wallet });
    expect(originReceipts.map(({ transactionHash }) => transactionHash)).to.deep.equal(account.hashes);
    expect(account.hashes).to.have.length(1);
  });

  it("sends each transaction separately when batches are off, from a contract account too", async () => {
    const account = await newAccount();
    await run(account, await quoteFor(account.address), { batch: "never" });
    expect(account.hashes).to.have.length(2);
    expect(asked(account, "wallet_getCapabilities")).to.equal(0);
    expect(asked(account, "wallet_sendCalls")).to.equal(0);
  });

  it("includes both approvals of a USDT-like token in the batch", async () => {
    const account = await newAccount();
    await fixture.alpha.reader.waitForTransactionReceipt({
      hash: await walletOf(account).writeContract({
        abi: erc20Abi,
        address: fixture.alpha.currency("USDT"),
        args: [fixture.alpha.info.contracts.v3.approvalProxy, 1n],
        chain: null,
        functionName: "approve",
      }),
    });
    const quote = await quoteFor(account.address, "USDT");
    expect(quote.steps.reduce((sum, { items }) => sum + items.length, 0)).to.equal(3);
    await run(account, quote);
    expect(account.hashes).to.have.length(2);
  });

  for (const atomic of ["ready", "unsupported", undefined] as const) {
    it(`sends each transaction separately when the wallet reports ${atomic ?? "nothing"} for atomic batches`, async () => {
      const account = await newAccount();
      account.behaviour.atomic = atomic;
      await run(account, await quoteFor(account.address));
      expect(asked(account, "wallet_sendCalls")).to.equal(0);
      expect(account.hashes).to.have.length(2);
    });
  }

  for (const code of [4100, 4200, 5700, 5710, 5740, 5750, 5760]) {
    it(`sends each transaction separately when the wallet rejects the batch with ${code}, and asks for no other batch`, async () => {
      const account = await newAccount();
      account.behaviour.refusals.wallet_sendCalls = code;
      const kept = recorder();
      await run(account, await quoteFor(account.address, "USDC"), { onProgress: kept.onProgress });
      expect(asked(account, "wallet_sendCalls")).to.equal(1);
      expect(account.hashes).to.have.length(2);
      expect(kept.phases.slice(0, 5)).to.deep.equal([
        "approve sending",
        "deposit sending",
        "approve notDone",
        "deposit notDone",
        "approve sending",
      ]);
      expect(kept.state?.items.every(({ batchId }) => batchId === undefined)).to.equal(true);
    });
  }

  it("a user's rejection ends the run, with either library, and a retry is possible", async () => {
    const account = await newAccount();
    account.behaviour.refusals.wallet_sendCalls = 4001;
    const quote = await quoteFor(account.address);
    const signer = await new BrowserProvider(account, fixture.alpha.info.id).getSigner(account.address);
    for (const wallet of [walletOf(account), signer]) {
      const kept = recorder();
      const error = await rejectionOf(run(account, quote, { onProgress: kept.onProgress, wallet }));
      expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: true });
      expect(kept.state?.items).to.deep.equal([]);
      expect(account.hashes).to.deep.equal([]);
    }
    account.behaviour.refusals = {};
    expect((await run(account, quote)).status).to.equal("success");
    expect(account.hashes).to.have.length(1);
  });

  it("never falls back while the outcome of the batch is unknown, and asks the wallet for it later", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    account.behaviour.onAnswer = (method) => {
      if (method === "wallet_sendCalls") throw new Error("the answer was lost");
    };
    const kept = recorder();
    const error = await rejectionOf(run(account, quote, { onProgress: kept.onProgress }));
    expect(error).to.include({ code: "PAYMENT_UNSETTLED" });
    expect(kept.state?.items.map(({ status }) => status)).to.deep.equal(["sending", "sending"]);
    account.behaviour.onAnswer = () => undefined;
    const { status } = await run(account, quote, { batch: "never", state: kept.state });
    expect([status, account.hashes.length]).to.deep.equal(["success", 1]);
  });

  for (const code of [4001, 4100, 4200, 5700, 5760]) {
    it(`a wallet that sent the batch, then fails with -32603 because of a ${code}: it is open, and paid once`, async () => {
      const account = await newAccount();
      account.behaviour.onAnswer = (method) => {
        if (method !== "wallet_sendCalls") return;
        const cause = Object.assign(new Error("a later call"), { code });
        throw Object.assign(new Error("internal", { cause }), { code: -32603 });
      };
      const error = await rejectionOf(run(account, await quoteFor(account.address)));
      expect(error).to.include({ code: "PAYMENT_UNSETTLED" });
      expect(account.hashes).to.have.length(1);
      expect(asked(account, "eth_sendTransaction")).to.equal(0);
    });
  }

  it("a wallet that answers the batch with -32601, which a node behind it may have said: it is open, and nothing else is sent", async () => {
    const account = await newAccount();
    account.behaviour.refusals.wallet_sendCalls = -32601;
    const error = await rejectionOf(run(account, await quoteFor(account.address)));
    expect(error).to.include({ code: "PAYMENT_UNSETTLED" });
    expect(account.methods.filter((method) => method === "eth_sendTransaction")).to.deep.equal([]);
  });

  it("a batch that succeeded in part (600): is open, and a later run sends no part of it again", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    account.behaviour.batchStatus = { receipts: [], status: 600 };
    const kept = recorder();
    const error = await rejectionOf(run(account, quote, { onProgress: kept.onProgress }));
    expect(error).to.include({ code: "PAYMENT_UNSETTLED" });
    paymentLedger.clear();
    const again = await rejectionOf(run(account, quote, { state: kept.state }));
    expect(again).to.include({ code: "PAYMENT_UNSETTLED" });
    expect(account.hashes).to.have.length(1);
  });

  it("sends nothing when the wallet does not recognise the requested batch", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    account.behaviour.refusals.wallet_sendCalls = -32602;
    const kept = recorder();
    const error = await rejectionOf(run(account, quote, { onProgress: kept.onProgress }));
    expect(error).to.include({ code: "PAYMENT_UNSETTLED" });
    account.behaviour.refusals = {};
    const again = await rejectionOf(run(account, quote, { state: kept.state }));
    expect(again).to.include({ code: "PAYMENT_UNSETTLED", stepId: "approve" });
    expect(account.hashes).to.deep.equal([]);
  });

  it("stops at a batch that reverts: nothing was approved, and a later run sends nothing either", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address, "USDC", parseUnits("100", 6));
    const elsewhere = { args: [recipient, 1n], functionName: "transfer" } as const;
    const token = { abi: erc20Abi, address: fixture.alpha.currency("USDC") };
    await walletOf(account).writeContract({ ...token, ...elsewhere, chain: null });
    const kept = recorder();
    const error = await rejectionOf(run(account, quote, { onProgress: kept.onProgress }));
    expect(error).to.include({ code: "TRANSACTION_REVERTED", hash: account.hashes[1], stepId: "approve" });
    expect(await allowanceOf(account.address, "USDC")).to.equal(0n);
    const again = await rejectionOf(run(account, quote, { state: kept.state }));
    expect(again).to.include({ code: "TRANSACTION_REVERTED" });
    expect(account.hashes).to.have.length(2);
  });

  it("resends a batch that the wallet abandoned, under another id", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    account.behaviour.batchStatus = { receipts: [], status: 400 };
    const kept = recorder();
    const ids: (string | undefined)[] = [];
    const onProgress = (event: ExecuteProgress) => {
      ids.push(event.state.items[0]?.batchId);
      kept.onProgress(event);
    };
    account.behaviour.isLost = true;
    const error = await rejectionOf(run(account, quote, { onProgress }));
    expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: false });
    expect(error).to.have.property("details").that.includes("status 400");
    expect(kept.state?.items).to.deep.equal([]);
    account.behaviour.batchStatus = undefined;
    account.behaviour.isLost = false;
    await run(account, quote, { onProgress, state: kept.state });
    expect(account.hashes).to.have.length(1);
    expect(new Set(ids.filter((id) => id !== undefined))).to.have.length(2);
  });

  it("a batch that failed without a receipt has an unknown outcome, and is never sent again", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    account.behaviour.isLost = true;
    account.behaviour.batchStatus = { receipts: [], status: 500 };
    const kept = recorder();
    const error = await rejectionOf(run(account, quote, { onProgress: kept.onProgress }));
    expect(error).to.include({ code: "PAYMENT_UNSETTLED" });
    await rejectionOf(run(account, quote, { state: kept.state }));
    expect(asked(account, "wallet_sendCalls")).to.equal(1);
  });

  it("a partly executed batch counts as reverted", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    const hash = `0x${"0b".repeat(32)}`;
    const receipt = { blockNumber: "0x7", gasUsed: "0x1", transactionHash: hash };
    for (const batchStatus of [
      { receipts: [{ ...receipt, status: "0x1" }], status: 600 },
      { receipts: [{ ...receipt, status: "0x0" }], status: 200 },
    ]) {
      account.behaviour.isLost = true;
      account.behaviour.batchStatus = batchStatus;
      const error = await rejectionOf(run(account, quote));
      expect(error).to.include({ blockNumber: 7n, code: "TRANSACTION_REVERTED", hash });
    }
    expect(account.hashes).to.deep.equal([]);
  });

  it("times out on a batch that is never mined, and names it", async () => {
    const account = await newAccount();
    account.behaviour.isLost = true;
    account.behaviour.batchStatus = { receipts: [], status: 100 };
    const quote = await quoteFor(account.address);
    const kept = recorder();
    const error = await rejectionOf(
      execute(impatientClient(fixture.emulator.info.apiUrl), {
        onProgress: kept.onProgress,
        quote,
        timeout: 10_000,
        verify: false,
        wallet: walletOf(account),
      }),
    );
    expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
    expect(error).to.have.nested.property("cause.operation").that.includes(kept.state?.items[0]?.batchId);
  });

  it("sends nothing when the caller aborts first, or when the wallet is on another chain", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    const controller = new AbortController();
    const kept = recorder();
    const onProgress = (event: ExecuteProgress) => {
      kept.onProgress(event);
      controller.abort();
    };
    const { signal } = controller;
    expect(await rejectionOf(run(account, quote, { onProgress, signal }))).to.have.property(
      "code",
      "ABORTED",
    );
    expect(kept.state?.items).to.deep.equal([]);
    const elsewhere = createWalletClient({
      account: account.address,
      transport: custom({
        request: async (request: { method: string }) =>
          request.method === "eth_chainId" ? "0xa" : account.request(request),
      }),
    });
    const publicClient = fixture.alpha.reader;
    const error = await rejectionOf(run(account, quote, { publicClient, wallet: elsewhere }));
    expect(error).to.include({ actualChainId: 10, code: "CHAIN_MISMATCH" });
    expect(asked(account, "wallet_sendCalls")).to.equal(0);
  });

  it("a wallet whose receipt of a batch has half a hash: another process can continue the state", async () => {
    const account = await newAccount();
    const quote = await quoteFor(account.address);
    const receipt = { blockNumber: "0x7", gasUsed: "0x1", status: "0x1", transactionHash: "0x1234" };
    account.behaviour.batchStatus = { receipts: [receipt], status: 200 };
    const { state } = await run(account, quote);
    paymentLedger.clear();
    expect((await run(account, quote, { state })).status).to.equal("success");
    expect(account.hashes).to.have.length(1);
  });
});
