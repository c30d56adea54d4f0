import { expect } from "chai";
import { BrowserProvider, Wallet as EthersWallet } from "ethers";
import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  type Hex,
  parseEther,
  parseTransaction,
  type WalletClient,
} from "viem";
import type { QuotePolicy } from "../../../src/calls/verify/VerifyQuoteParameters.ts";
import type { Client } from "../../../src/client/index.ts";
import {
  type EthersSigner,
  type ExecuteParameters,
  type ExecutionState,
  execute,
} from "../../../src/execute/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { impatientClient } from "../../helpers/impatientClient.ts";
import { requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../verifyQuote/quoteStage.ts";

type Call = { method: string; params?: unknown };
/** Alters the answer of a node. */
type Alter = (method: string, answer: unknown) => unknown;
type Kind = "a key in viem" | "a key in ethers" | "a wallet in viem" | "a wallet in ethers";
const kinds: readonly Kind[] = ["a key in viem", "a key in ethers", "a wallet in viem", "a wallet in ethers"];

describe("execute and a node that lies about what is signed", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);

  const ask = ({ info: _, reader }: TestChain, { method, params = [] }: Call) =>
    reader.request({ method, params } as never);

  /** A node or wallet in front of a chain, and what it was asked. Its `target` may change. */
  function nodeOf(alter: Alter = (_, answer) => answer) {
    const node = {
      calls: [] as Call[],
      target: fixture.alpha,
      request: async (call: Call): Promise<unknown> => {
        node.calls.push(call);
        if (call.method === "eth_accounts" || call.method === "eth_requestAccounts") return [user()];
        const isAsked = call.method === "eth_sendTransaction";
        const [first] = (call.params ?? []) as [{ chainId?: Hex }];
        // A wallet refuses another chain than its own, as EIP-1193 wallets do.
        if (isAsked && Number(first.chainId) !== node.target.info.id) throw new Error("another chain");
        return alter(call.method, await ask(node.target, call));
      },
      /** Parameters of the calls of a method. */
      paramsOf: (method: string) =>
        node.calls.flatMap((call) => (call.method === method ? (call.params as unknown[]) : [])),
    };
    return node;
  }
  type Node = ReturnType<typeof nodeOf>;

  async function walletOf(
    kind: Kind,
    { request }: Pick<Node, "request">,
  ): Promise<EthersSigner | WalletClient> {
    const provider = new BrowserProvider({ request }, "any", { cacheTimeout: -1 });
    const transport = custom({ request }, { retryCount: 0 });
    const { account } = fixture.alpha.wallet(0);
    if (kind === "a key in viem") return createWalletClient({ account, transport });
    if (kind === "a wallet in viem") return createWalletClient({ account: account.address, transport });
    if (kind === "a wallet in ethers") return provider.getSigner(account.address);
    return new EthersWallet(fixture.alpha.info.accounts[0]?.privateKey ?? "", provider);
  }

  /** Executes a proven quote of native currency; returns its failure, and the last reported state. */
  async function attempt(
    kind: Kind,
    node: Node,
    policy: Partial<QuotePolicy> = {},
    { client = fixture.client, ...more }: Partial<ExecuteParameters> & { client?: Client } = {},
  ) {
    const request = requestOf(fixture, "ETH", "ETH");
    const proven = await quoted(request);
    let state: ExecutionState | undefined;
    const error = await failureOf(
      execute(client, {
        onProgress: (progress) => {
          state = progress.state;
        },
        quote: proven.quote,
        request,
        timeout: 10_000,
        verify: { ...proven.policy, ...policy },
        wallet: await walletOf(kind, node),
        ...more,
      }),
    );
    return { error, state };
  }
  const nonceOn = ({ reader }: TestChain, address: Address = user()) =>
    reader.getTransactionCount({ address });
  const rawOf = (node: Node) =>
    node.paramsOf("eth_sendRawTransaction").map((raw) => parseTransaction(raw as Hex));

  for (const kind of kinds) {
    it(`P1: a node that names another chain after the check: nothing is mined there, with ${kind}`, async () => {
      const before = [await nonceOn(fixture.alpha), await nonceOn(fixture.beta)];
      const node = nodeOf();
      const { request } = node;
      node.request = async (call) => {
        const answer = await request(call);
        // The chain was checked before the estimate.
        if (call.method === "eth_estimateGas") node.target = fixture.beta;
        return answer;
      };
      const { error } = await attempt(
        kind,
        node,
        {},
        { client: impatientClient(fixture.emulator.info.apiUrl) },
      );
      expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
      const chainIds = [
        ...rawOf(node).map(({ chainId }) => chainId),
        ...node.paramsOf("eth_sendTransaction").map((asked) => Number((asked as { chainId: Hex }).chainId)),
      ];
      expect(new Set(chainIds)).to.deep.equal(new Set([31_337]));
      expect([await nonceOn(fixture.alpha), await nonceOn(fixture.beta)]).to.deep.equal(before);
    });

    it(`P1: every field is set before a signature, and no node fills one in, with ${kind}`, async () => {
      const node = nodeOf();
      expect((await attempt(kind, node)).error).to.equal(undefined);
      const [raw] = rawOf(node);
      const [asked] = node.paramsOf("eth_sendTransaction") as Record<string, Hex>[];
      const fields = raw ?? asked ?? {};
      for (const name of ["chainId", "gas", "maxFeePerGas", "maxPriorityFeePerGas", "to", "value"]) {
        expect(fields[name as keyof typeof fields] === undefined, name).to.equal(false);
      }
      expect(node.calls.map(({ method }) => method)).to.not.include("eth_fillTransaction");
    });

    const absurd = `0x${parseEther("0.01").toString(16)}`;
    const withBaseFee = (block: unknown) => ({ ...(block as object), baseFeePerGas: absurd });
    const lies: readonly [what: string, reason: RegExp, alter: Alter][] = [
      [
        "priority fee",
        /above maximumFee/,
        (method, answer) => (method === "eth_maxPriorityFeePerGas" ? absurd : answer),
      ],
      [
        "base fee",
        /above maximumFee/,
        (method, answer) => (method === "eth_getBlockByNumber" ? withBaseFee(answer) : answer),
      ],
      [
        "gas estimate",
        /above maximumGas/,
        (method, answer) => (method === "eth_estimateGas" ? "0x3b9aca00" : answer),
      ],
      [
        "failing estimate",
        /gas cannot be estimated/,
        (method, answer) => {
          if (method === "eth_estimateGas") throw Object.assign(new Error("execution reverted"), { code: 3 });
          return answer;
        },
      ],
    ];
    for (const [what, reason, alter] of lies) {
      it(`P6: a node with an absurd ${what}: is refused before a signature, with ${kind}`, async () => {
        const node = nodeOf(alter);
        const { error, state } = await attempt(kind, node);
        expect(error).to.have.property("code", "STEP_REJECTED");
        expect(error).to.have.property("reason").that.matches(reason);
        expect([state, rawOf(node), node.paramsOf("eth_sendTransaction")]).to.deep.equal([undefined, [], []]);
      });
    }

    it(`P6: maximumFee bounds the fee in wei, and a fee below it is paid, with ${kind}`, async () => {
      const low = nodeOf();
      const { error } = await attempt(kind, low, { maximumFee: 1n });
      expect(error)
        .to.have.property("reason")
        .that.matches(/above maximumFee, 1$/);
      expect([rawOf(low), low.paramsOf("eth_sendTransaction")]).to.deep.equal([[], []]);
      expect((await attempt(kind, nodeOf(), { maximumFee: parseEther("0.01") })).error).to.equal(undefined);
    });
  }

  it("P6: the gas limit is at most maximumGas, though the estimate with its margin is above", async () => {
    const node = nodeOf((method, answer) => (method === "eth_estimateGas" ? "0x30d40" : answer));
    expect((await attempt("a key in viem", node, { maximumGas: 200_001n })).error).to.equal(undefined);
    expect(rawOf(node).map(({ gas }) => gas)).to.deep.equal([200_001n]);
  });

  it("P11: a reader of another chain is refused, as publicClient, verify.reader and verify.destinationReader", async () => {
    const { alpha, beta } = fixture;
    const cases = [
      ["CHAIN_MISMATCH", { reader: alpha.reader }, { publicClient: beta.reader }],
      ["QUOTE_CHAIN", { reader: undefined }, { publicClient: beta.reader }],
      ["QUOTE_CHAIN", { reader: beta.reader }, {}],
      ["QUOTE_CHAIN", { destinationReader: alpha.reader }, {}],
    ] as const;
    for (const [code, policy, more] of cases) {
      const node = nodeOf();
      const { error } = await attempt("a key in viem", node, policy, more);
      expect(error).to.have.property("code", code);
      expect(rawOf(node)).to.deep.equal([]);
    }
  });

  it("P1: a wallet that signs other bytes than those asked for: nothing is sent", async () => {
    const node = nodeOf();
    const { account } = fixture.alpha.wallet(0);
    const changed = { value: 2n, chainId: 31_338, nonce: 99, gas: 9_000_000n, to: user(), data: "0x12" };
    for (const [name, value] of Object.entries(changed)) {
      const lying = {
        ...account,
        signTransaction: (transaction: object) =>
          account.signTransaction({ ...transaction, [name]: value } as never),
      };
      const transport = custom({ request: node.request }, { retryCount: 0 });
      const wallet = createWalletClient({ account: lying as never, transport });
      const { error, state } = await attempt("a key in viem", node, {}, { wallet });
      expect(error, name).to.include({
        code: "STEP_REJECTED",
        reason: "the account signed another transaction",
      });
      expect(state).to.equal(undefined);
    }
    expect(rawOf(node)).to.deep.equal([]);
  });

  it("a local account whose key is another account's: nothing is sent", async () => {
    const { account } = fixture.alpha.wallet(0);
    const { account: stranger } = fixture.alpha.wallet(5);
    const node = nodeOf();
    const wallet = createWalletClient({
      account: { ...account, signTransaction: stranger.signTransaction } as typeof account,
      transport: custom(node, { retryCount: 0 }),
    });
    const { error, state } = await attempt("a key in viem", node, {}, { wallet });
    expect(error).to.have.property("code", "STEP_REJECTED");
    expect(node.paramsOf("eth_sendRawTransaction")).to.deep.equal([]);
    expect(JSON.stringify(state) ?? "").to.not.include('"raw"');
  });

  it("P5: a node that reports a mined transaction of another chain: the outcome is open", async () => {
    const node = nodeOf((method, answer) =>
      method === "eth_getTransactionByHash" && answer ? { ...answer, chainId: "0x1" } : answer,
    );
    const publicClient = createPublicClient({ transport: custom({ request: node.request }) });
    const { error } = await attempt("a wallet in viem", nodeOf(), {}, { publicClient });
    expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
    expect(error).to.have.nested.property("cause.code", "CHAIN_MISMATCH");
  });
});
