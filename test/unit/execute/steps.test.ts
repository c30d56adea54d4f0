import { mock } from "node:test";
import { expect } from "chai";
import { BrowserProvider, Wallet } from "ethers";
import {
  type Account,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
} from "viem";
import { type ExecuteParameters, execute } from "../../../src/execute/execute.ts";
import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import type { Step } from "../../../src/schema/quote/step.ts";
import { stepIds } from "../../../src/schema/quote/step.ts";
import { contractSignature } from "../../helpers/batchWallet.ts";
import { fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import { bridgeQuote, depository, depositStep, statusAnswer, token } from "../client/support/samples.ts";
import { account, fakeChain, testKey } from "./support/fakeChain.ts";

const success = json(statusAnswer("success", { txHashes: ["0x02"] }));
const hello = { message: "hello", signatureKind: "eip191" };

function signatureStep(id: string, sign: unknown = hello, endpoint = "/authorize"): Step {
  const data = { post: { body: { id }, endpoint, method: "POST" }, sign };
  return {
    ...depositStep(),
    id,
    items: [{ data, status: "incomplete" }],
    kind: "signature",
  } as unknown as Step;
}

function approveStep(): Step {
  const data = encodeFunctionData({ abi: erc20Abi, args: [depository, 5n], functionName: "approve" });
  return { ...depositStep({ data, to: token, value: "0" }), id: "approve" };
}

/** Says no to the first `times` estimates after the approval's, as a node does that lags behind. */
function laggingChain(times: number) {
  return fakeChain({
    allowances: [5n],
    onEstimate: (count) => {
      if (count === 0 || count > times) return;
      throw Object.assign(new Error("execution reverted: ERC20: transfer amount exceeds allowance"), {
        code: 3,
      });
    },
  });
}

/** The test account as a wallet of each library. */
const wallets = {
  ethers: (chain: ReturnType<typeof fakeChain>): ExecuteParameters["wallet"] =>
    new Wallet(testKey, new BrowserProvider(chain, "any", { cacheTimeout: -1 })),
  viem: ({ wallet }: ReturnType<typeof fakeChain>): ExecuteParameters["wallet"] => wallet,
};

describe("execute and the steps of a quote", () => {
  for (const id of [...stepIds, "an id of next year"]) {
    it(`executes a transaction and a signature of the step ${id}`, async () => {
      const { calls, client } = fakeService([json({}), success]);
      const { sent, wallet } = fakeChain();
      const quote = quoteSchema.parse({
        ...bridgeQuote(),
        steps: [{ ...depositStep(), id }, signatureStep(id)],
      });
      await execute(client, { quote, verify: false, wallet });
      expect(sent).to.have.length(1);
      expect(calls[0]).to.deep.include({ body: { id }, method: "POST", pathname: "/authorize" });
    });
  }

  it("takes the gas of the quote for the least, and leaves fees to the wallet, with either library", async () => {
    const fees = { maxFeePerGas: "1", maxPriorityFeePerGas: "1" };
    for (const walletOf of Object.values(wallets)) {
      const gasOf = async (gas: string | undefined) => {
        const chain = fakeChain();
        const quote = bridgeQuote([depositStep({ ...fees, ...(gas && { gas }) })]);
        await execute(fakeService([success]).client, { quote, verify: false, wallet: walletOf(chain) });
        return chain.sent[0]?.gas;
      };
      // The fake node estimates 21,000.
      const own = await gasOf(undefined);
      expect(await gasOf("20000")).to.equal(own);
      expect(await gasOf("300000")).to.equal(300_000n);
    }
  });

  it("hands signatures in one after the other, in the order of the steps", async () => {
    const { calls, client } = fakeService([json({}), json({}), json({}), success]);
    const quote = bridgeQuote(["authorize", "authorize1", "authorize2"].map((id) => signatureStep(id)));
    await execute(client, { quote, verify: false, wallet: fakeChain().wallet });
    expect(calls.slice(0, 3).map(({ body }) => body)).to.deep.equal([
      { id: "authorize" },
      { id: "authorize1" },
      { id: "authorize2" },
    ]);
  });

  it("adds the signature to the query that an endpoint has, and drops nothing of it", async () => {
    const { calls, client } = fakeService([json({}), success]);
    const step = signatureStep("authorize", hello, "/execute/permits?api=v2&list=a&list=b");
    await execute(client, { quote: bridgeQuote([step]), verify: false, wallet: fakeChain().wallet });
    const { pathname, searchParams } = new URL(calls[0]?.url ?? "");
    expect(pathname).to.equal("/execute/permits");
    expect([...searchParams.keys()]).to.deep.equal(["api", "list", "list", "signature"]);
    expect(searchParams.getAll("list")).to.deep.equal(["a", "b"]);
    expect(searchParams.get("signature")).to.match(/^0x[0-9a-f]{130}$/);
  });

  it("hands in the signature of a contract account as it is, deployed or not", async () => {
    const typed = {
      domain: { chainId: 31337, name: "Permit" },
      primaryType: "Grant",
      signatureKind: "eip712",
      types: { Grant: [{ name: "amount", type: "uint256" }] },
      value: { amount: "1" },
    };
    const request = async ({ method }: { method: string }) => {
      if (method === "eth_chainId") return "0x7a69";
      if (method === "personal_sign" || method === "eth_signTypedData_v4") return contractSignature;
      throw new Error(`unexpected ${method}`);
    };
    const viemWallet = createWalletClient({ account: account.address, transport: custom({ request }) });
    const ethersRequest = async (call: { method: string }) =>
      call.method === "eth_accounts" ? [account.address] : request(call);
    const signer = await new BrowserProvider({ request: ethersRequest }, 31337).getSigner(account.address);
    for (const wallet of [viemWallet, signer]) {
      for (const sign of [hello, typed]) {
        const { calls, client } = fakeService([json({}), success]);
        await execute(client, {
          quote: bridgeQuote([signatureStep("authorize", sign)]),
          verify: false,
          wallet,
        });
        expect(calls[0]?.query.signature).to.equal(contractSignature);
      }
    }
  });

  it("sends nothing with an account that only makes user operations, and lets it be tried again", async () => {
    const chain = fakeChain();
    const smart = { address: account.address, type: "smart" } as unknown as Account;
    const wallet = createWalletClient({ account: smart, transport: custom(chain, { retryCount: 0 }) });
    const { client } = fakeService([success]);
    const error = await rejectionOf(execute(client, { quote: bridgeQuote(), verify: false, wallet }));
    expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: false });
    expect(chain.sent).to.deep.equal([]);
  });
});

describe("execute and a wallet whose node lags behind", () => {
  for (const [library, walletOf] of Object.entries(wallets)) {
    const attempt = (chain: ReturnType<typeof fakeChain>, steps: Step[]) => {
      const { client, sleeps } = fakeService([success]);
      return {
        result: execute(client, { quote: bridgeQuote(steps), verify: false, wallet: walletOf(chain) }),
        sleeps,
      };
    };

    it(`estimates a deposit once more when the approval before it is not seen yet, with ${library}`, async () => {
      const chain = laggingChain(1);
      const { result, sleeps } = attempt(chain, [approveStep(), depositStep()]);
      expect((await result).status).to.equal("success");
      expect(chain.sent).to.have.length(2);
      expect(sleeps).to.deep.equal([1_000]);
    });

    it(`gives up after the second estimate that reverts, and has sent nothing, with ${library}`, async () => {
      const chain = laggingChain(10);
      const { result, sleeps } = attempt(chain, [approveStep(), depositStep()]);
      expect(await rejectionOf(result)).to.include({
        code: "WALLET_FAILED",
        outcome: "notDone",
        stepId: "deposit",
      });
      expect(chain.sent).to.have.length(1);
      expect(sleeps).to.deep.equal([1_000]);
    });

    it(`does not estimate a first step again: nothing was approved before it, with ${library}`, async () => {
      const chain = fakeChain({
        onEstimate: () => {
          throw Object.assign(new Error("execution reverted"), { code: 3 });
        },
      });
      const { result, sleeps } = attempt(chain, [depositStep()]);
      expect(await rejectionOf(result)).to.include({ code: "WALLET_FAILED", outcome: "notDone" });
      expect(sleeps).to.deep.equal([]);
    });
  }
});

describe("execute and a wallet that never says what it can do", () => {
  afterEach(() => mock.timers.reset());

  const silent = () => {
    const chain = fakeChain({ allowances: [5n] });
    const sent: unknown[] = [];
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const request = async ({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> => {
      if (method === "wallet_getCapabilities") {
        isAsked();
        return new Promise(() => undefined);
      }
      if (method === "eth_sendTransaction")
        return `0x${numberToHex(sent.push(params)).slice(2).padStart(64, "0")}`;
      if (method !== "eth_getTransactionReceipt") return chain.request({ method, params: params ?? [] });
      const hash = params?.[0] as Hex;
      return { ...receipt, blockHash: hash, transactionHash: hash };
    };
    return {
      asked,
      sent,
      wallet: createWalletClient({ account: account.address, transport: custom({ request }) }),
    };
  };
  const receipt = { blockNumber: "0x1", gasUsed: "0x1", logs: [], status: "0x1" };

  it("waits for five seconds and sends each item by itself", async () => {
    const { asked, sent, wallet } = silent();
    mock.timers.enable({ apis: ["setTimeout"] });
    const quote = bridgeQuote([approveStep(), depositStep()]);
    const result = execute(fakeService([success]).client, { quote, verify: false, wallet });
    await asked;
    mock.timers.tick(4_999);
    await new Promise(setImmediate);
    expect(sent).to.deep.equal([]);
    mock.timers.tick(1);
    expect((await result).status).to.equal("success");
    expect(sent).to.have.length(2);
  });

  it("stops when the caller aborts, and has sent nothing", async () => {
    const { asked, sent, wallet } = silent();
    const controller = new AbortController();
    const quote = bridgeQuote([approveStep(), depositStep()]);
    const result = execute(fakeService([success]).client, {
      quote,
      signal: controller.signal,
      verify: false,
      wallet,
    });
    await asked;
    controller.abort();
    expect(await rejectionOf(result)).to.have.property("code", "ABORTED");
    expect(sent).to.deep.equal([]);
  });
});
