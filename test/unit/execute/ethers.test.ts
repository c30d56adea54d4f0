import { expect } from "chai";
import { BrowserProvider, FallbackProvider, JsonRpcProvider, type Signer, VoidSigner, Wallet } from "ethers";
import { type Hex, recoverMessageAddress, recoverTypedDataAddress, type TypedDataDefinition } from "viem";
import type { ExecutionState } from "../../../src/execute/ExecutionState.ts";
import { execute } from "../../../src/execute/execute.ts";
import type { EthersSigner } from "../../../src/execute/index.ts";
import type { Step } from "../../../src/schema/quote/step.ts";
import { fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import { bridgeQuote, depository, depositStep, requestId, statusAnswer } from "../client/support/samples.ts";
import { account, type FakeChain, type FakeChainOptions, fakeChain, testKey } from "./support/fakeChain.ts";

const success = json(statusAnswer("success", { txHashes: ["0x02"] }));

/** A key of this process behind a provider, and the chain that it sends to. */
function localSigner(options: FakeChainOptions = {}): { chain: FakeChain; signer: Wallet } {
  const chain = fakeChain(options);
  return { chain, signer: new Wallet(testKey, new BrowserProvider(chain, "any", { cacheTimeout: -1 })) };
}

/** A browser wallet's signer; `answers` are its own, everything else is the chain's. */
async function browserSigner(
  answers: Record<string, () => unknown>,
): Promise<{ chain: FakeChain; signer: Signer }> {
  const chain = fakeChain();
  const request = async (call: { method: string; params?: unknown[] }) => {
    if (call.method === "eth_accounts" || call.method === "eth_requestAccounts") return [account.address];
    const answer = answers[call.method];
    return answer === undefined ? chain.request(call) : answer();
  };
  const signer = await new BrowserProvider({ request }, "any", { cacheTimeout: -1 }).getSigner(
    account.address,
  );
  return { chain, signer };
}

function signatureStep(sign: unknown): Step {
  const data = { post: { body: {}, endpoint: "/authorize", method: "POST" }, sign };
  return {
    ...depositStep(),
    id: "authorize",
    items: [{ data, status: "incomplete" }],
    kind: "signature",
  } as unknown as Step;
}

/** The signature that is handed in for `sign`. */
async function signed(sign: unknown, wallet: EthersSigner): Promise<Hex> {
  const { calls, client } = fakeService([json({}), success]);
  await execute(client, { quote: bridgeQuote([signatureStep(sign)]), verify: false, wallet });
  return calls[0]?.query.signature as Hex;
}

const reject =
  (code: number, message = "no") =>
  () => {
    throw Object.assign(new Error(message), { code });
  };

describe("execute with a signer of ethers", () => {
  it("sends what the step says and returns the receipt", async () => {
    const { chain, signer } = localSigner({ pendingReads: 2 });
    const { originReceipts } = await execute(fakeService([success]).client, {
      quote: bridgeQuote(),
      verify: false,
      wallet: signer,
    });
    expect(chain.sent).to.have.length(1);
    expect(chain.sent[0]).to.include({ data: "0x49290c1c", to: depository.toLowerCase(), value: 10n ** 16n });
    expect(originReceipts).to.have.length(1);
    expect(originReceipts[0]).to.include({ blockNumber: 1n, gasUsed: 21_000n, status: "success" });
  });

  it("asks a wallet for the hash alone, and does not wait until the transaction can be seen", async () => {
    const hash = `0x${"0c".repeat(32)}`;
    const { chain, signer } = await browserSigner({ eth_sendTransaction: () => hash });
    const { client } = fakeService([success]);
    let state: ExecutionState | undefined;
    const error = await rejectionOf(
      execute(client, {
        onProgress: (event) => {
          state = event.state;
          if (state.items[0]?.status === "sent") throw new Error("crash");
        },
        quote: bridgeQuote(),
        verify: false,
        wallet: signer,
      }),
    );
    expect(error).to.have.property("message", "crash");
    expect(state?.items[0]).to.include({ status: "sent", txHash: hash });
    expect(chain.methods).not.to.include("eth_getTransactionByHash");
  });

  it("signs 32 bytes in hexadecimal as bytes and anything else as text", async () => {
    const { signer } = localSigner();
    const digest: Hex = `0x${"d1".repeat(32)}`;
    for (const [message, raw] of [
      [digest, { raw: digest }],
      ["hello", "hello"],
      ["0x1234", "0x1234"],
    ] as const) {
      const signature = await signed({ message, signatureKind: "eip191" }, signer);
      expect(await recoverMessageAddress({ message: raw, signature })).to.equal(account.address);
    }
  });

  it("signs the primary type that the step names, whatever other types it has", async () => {
    const own = {
      Grant: [{ name: "parts", type: "Part[2][]" }],
      Part: [{ name: "amount", type: "uint256" }],
    };
    const types = {
      EIP712Domain: [{ name: "name", type: "string" }],
      ...own,
      Wrapper: [{ name: "grant", type: "Grant" }],
    };
    const domain = { chainId: 31337, name: "Permit", verifyingContract: account.address } as const;
    const value = { parts: [[{ amount: (2n ** 200n).toString() }, { amount: "1" }]] };
    const sign = { domain, primaryType: "Grant", signatureKind: "eip712", types, value };
    const signature = await signed(sign, localSigner().signer);
    const typedData: TypedDataDefinition<Record<string, unknown>, string> = {
      domain,
      message: { parts: [[{ amount: 2n ** 200n }, { amount: 1n }]] },
      primaryType: "Grant",
      types: own,
    };
    expect(await recoverTypedDataAddress({ ...typedData, signature })).to.equal(account.address);
  });

  it("refuses one that is switched to another chain before anything is sent, though ethers remembers the first", async () => {
    let chainId = "0x7a69";
    const { chain, signer } = await browserSigner({ eth_chainId: () => chainId });
    expect((await signer.provider?.getNetwork())?.chainId).to.equal(31337n);
    chainId = "0xa";
    const error = await rejectionOf(
      execute(fakeService([success]).client, { quote: bridgeQuote(), verify: false, wallet: signer }),
    );
    expect(error).to.include({ actualChainId: 10, code: "CHAIN_MISMATCH", subject: "wallet" });
    expect(chain.sent).to.deep.equal([]);
  });

  it("refuses one without a provider, and one whose provider cannot be read unless there is a publicClient", async () => {
    const { client } = fakeService([success]);
    const alone = await rejectionOf(
      execute(client, { quote: bridgeQuote(), verify: false, wallet: new Wallet(testKey) }),
    );
    expect(alone).to.include({ code: "INVALID_PARAMETER", parameter: "wallet" });
    const chain = fakeChain();
    const wallet = new Wallet(testKey, new FallbackProvider([new BrowserProvider(chain, 31337)], 31337));
    const unread = await rejectionOf(execute(client, { quote: bridgeQuote(), verify: false, wallet }));
    expect(unread).to.include({ code: "INVALID_PARAMETER", parameter: "publicClient" });
    await execute(client, { publicClient: chain.publicClient, quote: bridgeQuote(), verify: false, wallet });
    expect(chain.sent).to.have.length(1);
  });

  const outcomes: [
    string,
    () => Promise<{ chain: FakeChain; signer: EthersSigner }>,
    "notDone" | "unknown",
  ][] = [
    [
      "the estimate reverts",
      async () => localSigner({ onEstimate: reject(3, "execution reverted") }),
      "notDone",
    ],
    [
      "there is too little money",
      async () => localSigner({ onSend: reject(-32000, "insufficient funds for gas * price + value") }),
      "notDone",
    ],
    [
      "the connection broke",
      async () => localSigner({ onSend: reject(-32603, "socket hang up") }),
      "unknown",
    ],
    [
      "the node has it already",
      async () => localSigner({ onSend: reject(-32000, "already known") }),
      "unknown",
    ],
    ["a nonce is used", async () => localSigner({ onSend: reject(-32000, "nonce too low") }), "unknown"],
    [
      "a node says that it reverted",
      () => browserSigner({ eth_sendTransaction: reject(3, "execution reverted") }),
      "unknown",
    ],
    [
      "the signer cannot sign",
      async () => {
        const chain = fakeChain();
        return { chain, signer: new VoidSigner(account.address, new BrowserProvider(chain, 31337)) };
      },
      "notDone",
    ],
  ];
  for (const [when, make, outcome] of outcomes) {
    it(`says that the outcome is ${outcome} when ${when}`, async () => {
      const { chain, signer } = await make();
      let state: ExecutionState | undefined;
      const onProgress = (event: { state: ExecutionState }) => {
        state = event.state;
      };
      const { client } = fakeService([success]);
      const error = await rejectionOf(
        execute(client, { onProgress, quote: bridgeQuote(), verify: false, wallet: signer }),
      );
      expect(error).to.include({ code: "WALLET_FAILED", outcome, userRejected: false });
      expect(state?.items.map(({ status }) => status)).to.deep.equal(
        outcome === "unknown" ? ["sending"] : [],
      );
      expect(chain.sent).to.deep.equal([]);
    });
  }

  it("says that a person refused to send or to sign, and lets it be tried again", async () => {
    const no = reject(4001, "User denied it.");
    const { chain, signer } = await browserSigner({ eth_sendTransaction: no, personal_sign: no });
    const sign = signatureStep({ message: "hello", signatureKind: "eip191" });
    for (const steps of [[depositStep()], [sign]]) {
      const { calls, client } = fakeService([success]);
      const error = await rejectionOf(
        execute(client, { quote: bridgeQuote(steps), verify: false, wallet: signer }),
      );
      expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: true });
      expect(calls).to.deep.equal([]);
    }
    expect(chain.sent).to.deep.equal([]);
  });

  it("takes every kind of signer that ethers has, as the types say too", () => {
    const provider = new JsonRpcProvider("http://127.0.0.1:1", 31337, { staticNetwork: true });
    const takes = (signer: EthersSigner): string[] => Object.keys(signer);
    expect(takes(new Wallet(testKey, provider))).to.include("provider");
    expect(takes(Wallet.createRandom(provider))).to.include("provider");
    expect(takes(new VoidSigner(account.address, provider) satisfies Signer)).to.include("provider");
    provider.destroy();
  });

  it("names the request that was followed", async () => {
    const { client } = fakeService([success]);
    const result = await execute(client, {
      quote: bridgeQuote(),
      verify: false,
      wallet: localSigner().signer,
    });
    expect(result).to.deep.include({ requestId, status: "success", txHashes: ["0x02"] });
  });
});
