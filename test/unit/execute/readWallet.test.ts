import { expect } from "chai";
import { BrowserProvider, FallbackProvider, JsonRpcProvider, type Signer, VoidSigner, Wallet } from "ethers";
import { type Hex, recoverTypedDataAddress, type TypedDataDefinition } from "viem";
import type { EthersSigner } from "../../../src/execute/index.ts";
import type { ExecuteProgress } from "../../../src/execute/Run.ts";
import { depositStep } from "../client/support/samples.ts";
import { fail, submissions, succeed } from "./support/attempt.ts";
import {
  account,
  type FakeChain,
  type FakeChainOptions,
  fakeChain,
  reject,
  testKey,
} from "./support/fakeChain.ts";
import { expectMessageSignatures } from "./support/messageSignatures.ts";
import { signatureStep } from "./support/steps.ts";

/** A chain and a signer of ethers that sends to it. */
type Signing = { chain: FakeChain; wallet: EthersSigner };

/** A key of this process with a provider. */
function localSigner(options: FakeChainOptions = {}): Signing {
  const chain = fakeChain(options);
  return { chain, wallet: new Wallet(testKey, new BrowserProvider(chain, "any", { cacheTimeout: -1 })) };
}

/** A browser wallet's signer that gives `answers`; the chain answers everything else. */
async function browserSigner(answers: Record<string, () => unknown>): Promise<Signing> {
  const chain = fakeChain();
  const request = async (call: { method: string; params?: unknown[] }) => {
    if (call.method === "eth_accounts" || call.method === "eth_requestAccounts") return [account.address];
    return (answers[call.method] ?? (() => chain.request(call)))();
  };
  const provider = new BrowserProvider({ request }, "any", { cacheTimeout: -1 });
  return { chain, wallet: await provider.getSigner(account.address) };
}

describe("execute with a signer of ethers", () => {
  it("asks a wallet for the hash alone, and does not wait until the transaction can be seen", async () => {
    const hash = `0x${"0c".repeat(32)}`;
    const signing = await browserSigner({ eth_sendTransaction: () => hash });
    const onProgress = ({ state }: ExecuteProgress) => {
      if (state.items[0]?.status === "sent") throw new Error("crash");
    };
    const { chain, error, state } = await fail({ ...signing, onProgress });
    expect(error).to.have.property("message", "crash");
    expect(state?.items[0]).to.include({ status: "sent", txHash: hash });
    expect(chain.methods).not.to.include("eth_getTransactionByHash");
  });

  it("signs 32 bytes in hexadecimal as bytes and anything else as text", () =>
    expectMessageSignatures(`0x${"d1".repeat(32)}`, localSigner().wallet));

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
    const { wallet } = localSigner();
    const { calls } = await succeed({ service: submissions(), steps: [signatureStep(sign)], wallet });
    const typedData: TypedDataDefinition<Record<string, unknown>, string> = {
      domain,
      message: { parts: [[{ amount: 2n ** 200n }, { amount: 1n }]] },
      primaryType: "Grant",
      types: own,
    };
    const signature = calls[0]?.query.signature as Hex;
    expect(await recoverTypedDataAddress({ ...typedData, signature })).to.equal(account.address);
  });

  it("refuses a signer that switched to another chain before anything is sent, though ethers remembers the first", async () => {
    let chainId = "0x7a69";
    const signing = await browserSigner({ eth_chainId: () => chainId });
    const network = await (signing.wallet as Signer).provider?.getNetwork();
    expect(network?.chainId).to.equal(31337n);
    chainId = "0xa";
    const { error, sent } = await fail(signing);
    expect(error).to.include({ actualChainId: 10, code: "CHAIN_MISMATCH", subject: "wallet" });
    expect(sent).to.deep.equal([]);
  });

  it("refuses a signer whose provider cannot be read, unless the caller gives a publicClient", async () => {
    const chain = fakeChain();
    const wallet = new Wallet(testKey, new FallbackProvider([new BrowserProvider(chain, 31337)], 31337));
    const { error } = await fail({ chain, wallet });
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "publicClient" });
    const { sent } = await succeed({ chain, publicClient: chain.publicClient, wallet });
    expect(sent).to.have.length(1);
  });

  const outcomes: readonly [when: string, code: string, make: () => Promise<Signing>][] = [
    [
      "the signer cannot sign",
      "WALLET_FAILED",
      async () => {
        const chain = fakeChain();
        return { chain, wallet: new VoidSigner(account.address, new BrowserProvider(chain, 31337)) };
      },
    ],
    ...(
      [
        [-32603, "socket hang up"],
        [-32602, "invalid"],
        [-32000, "insufficient funds"],
        [3, "execution reverted"],
      ] as const
    ).map(([code, message]): [string, string, () => Promise<Signing>] => [
      `a wallet answers ${code}`,
      "PAYMENT_UNSETTLED",
      () => browserSigner({ eth_sendTransaction: reject(code, message) }),
    ]),
  ];
  for (const [when, code, make] of outcomes) {
    it(`P5: throws ${code} when ${when}`, async () => {
      const { error, sent, state } = await fail(await make());
      expect(error).to.include({ code });
      const statuses = state?.items.map(({ status }) => status) ?? [];
      expect(statuses).to.deep.equal(code === "PAYMENT_UNSETTLED" ? ["sending"] : []);
      expect(sent).to.deep.equal([]);
    });
  }

  it("reports a user's refusal to send or to sign, after which the item may be tried again", async () => {
    const no = reject(4001, "User denied it.");
    const signing = await browserSigner({ eth_sendTransaction: no, personal_sign: no });
    for (const step of [depositStep(), signatureStep()]) {
      const { calls, error, sent } = await fail({ ...signing, steps: [step] });
      expect(error).to.include({ code: "WALLET_FAILED", outcome: "notDone", userRejected: true });
      expect([calls, sent]).to.deep.equal([[], []]);
    }
  });

  it("accepts every kind of signer that ethers has, as the types say too", () => {
    const provider = new JsonRpcProvider("http://127.0.0.1:1", 31337, { staticNetwork: true });
    const takes = (signer: EthersSigner): string[] => Object.keys(signer);
    expect(takes(new Wallet(testKey, provider))).to.include("provider");
    expect(takes(Wallet.createRandom(provider))).to.include("provider");
    expect(takes(new VoidSigner(account.address, provider) satisfies Signer)).to.include("provider");
    provider.destroy();
  });
});
