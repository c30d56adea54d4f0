import { expect } from "chai";
import { BrowserProvider, Wallet as EthersWallet, JsonRpcProvider } from "ethers";
import { createWalletClient, custom, type Hex, parseEther, type WalletClient, zeroAddress } from "viem";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import {
  type EthersSigner,
  type ExecuteParameters,
  type ExecuteProgress,
  type ExecutionState,
  execute,
  TransactionReplacedError,
} from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";

const recipient = "0x00000000000000000000000000000000000a11ce";

describe("execute and pending transactions", () => {
  let provider: JsonRpcProvider;
  const fixture = useEmulator();
  before(async () => {
    provider = new JsonRpcProvider(fixture.alpha.info.rpcUrl, undefined, {
      cacheTimeout: -1,
      staticNetwork: true,
    });
  });
  beforeEach(() => automine(false));
  afterEach(async () => {
    await mine();
    await automine(true);
  });
  after(() => provider.destroy());

  const ask = (method: string, params: readonly unknown[] = []) =>
    fixture.alpha.reader.request({ method, params } as never);
  const automine = (isOn: boolean) => ask("evm_setAutomine", [isOn]);
  const mine = () => ask("evm_mine");
  const user = () => fixture.alpha.wallet(0).account.address;
  const nonceNow = () => fixture.alpha.reader.getTransactionCount({ address: user() });

  function quoteOf(): Promise<Quote> {
    return getQuote(
      fixture.client,
      bridgeIntent(fixture, { amount: parseEther("0.01"), recipient, user: user() }),
    );
  }

  /** Runs a quote and calls `meanwhile` once the deposit is pending, with the last reported state. */
  async function run(
    quote: Quote,
    meanwhile: (state: ExecutionState) => Promise<unknown>,
    more: Partial<ExecuteParameters> = {},
  ) {
    const kept: { phases: string[]; state?: ExecutionState } = { phases: [] };
    let isCalled = false;
    const onProgress = async (event: ExecuteProgress) => {
      kept.state = JSON.parse(JSON.stringify(event.state));
      if (event.type === "item") kept.phases.push(event.phase);
      if (event.state.items[0]?.nonce === undefined || isCalled) return;
      isCalled = true;
      await meanwhile(event.state);
    };
    const outcome = execute(fixture.client, {
      onProgress,
      quote,
      timeout: 10_000,
      verify: false,
      wallet: fixture.alpha.wallet(0),
      ...more,
    });
    const result = await outcome.catch((reason: unknown) => reason);
    return { ...kept, result };
  }

  /** Replaces the pending transaction: the same nonce, a higher fee. */
  async function replace(
    state: ExecutionState,
    change: { data?: Hex; to?: Hex; value?: bigint } = {},
  ): Promise<Hex> {
    const hash = state.items[0]?.txHash as Hex;
    const {
      input,
      nonce,
      to,
      value,
      maxFeePerGas = 0n,
    } = await fixture.alpha.reader.getTransaction({ hash });
    return fixture.alpha.wallet(0).sendTransaction({
      data: input,
      gas: 500_000n,
      maxFeePerGas: maxFeePerGas * 2n,
      maxPriorityFeePerGas: maxFeePerGas * 2n,
      nonce,
      to: to ?? zeroAddress,
      value,
      ...change,
    });
  }

  const wallets: [string, () => EthersSigner | WalletClient][] = [
    ["a viem wallet client", () => fixture.alpha.wallet(0)],
    [
      "a signer of ethers",
      () => new EthersWallet(fixture.alpha.info.accounts[0]?.privateKey ?? "", provider),
    ],
  ];
  for (const [name, walletOf] of wallets) {
    it(`follows a deposit with raised fees, with ${name}`, async () => {
      const before = await nonceNow();
      let faster: Hex = "0x";
      const { phases, result, state } = await run(
        await quoteOf(),
        async (pending) => {
          faster = await replace(pending);
          await mine();
        },
        { wallet: walletOf() },
      );
      expect(result).to.have.property("status", "success");
      expect(result).to.have.nested.property("originReceipts[0].transactionHash", faster);
      expect(state?.items[0]).to.deep.include({ status: "complete", txHash: faster });
      expect(phases).to.deep.equal(["sending", "confirming", "confirming", "confirming", "complete"]);
      expect((await nonceNow()) - before).to.equal(1);
    });
  }

  it("follows a deposit whose fees were raised while no process watched", async () => {
    const before = await nonceNow();
    const quote = await quoteOf();
    const crashed = await run(quote, async () => {
      throw new Error("crash");
    });
    expect(crashed.result).to.have.property("message", "crash");
    const faster = await replace(crashed.state as ExecutionState);
    for (let block = 0; block < 5; block++) await mine();
    const { result } = await run(quote, async () => undefined, { state: crashed.state });
    expect(result).to.have.nested.property("originReceipts[0].transactionHash", faster);
    expect((await nonceNow()) - before).to.equal(1);
  });

  const others: [string, { data: Hex; to?: Hex; value?: bigint }][] = [
    ["cancelled", { data: "0x", value: 0n }],
    ["replaced by one with other calldata", { data: "0x12345678", to: recipient }],
    ["replaced by one of another amount", { data: "0x", value: 1n }],
  ];
  for (const [what, change] of others) {
    it(`reports that a deposit was ${what}, and that it can be sent again`, async () => {
      const quote = await quoteOf();
      let other: Hex = "0x";
      const { phases, result, state } = await run(quote, async (pending) => {
        other = await replace(pending, { to: user(), ...change });
        await mine();
      });
      expect(result).to.be.instanceOf(TransactionReplacedError);
      expect(result).to.include({ replacedBy: other, stepId: "deposit" });
      expect(result).to.have.property("hash").that.does.not.equal(other);
      expect(phases.at(-1)).to.equal("notDone");
      expect(state?.items).to.deep.equal([]);
      await automine(true);
      const again = await run(quote, async () => undefined, { state });
      expect(again.result).to.have.property("status", "success");
    });
  }

  /** A wallet whose connection breaks once the node has the transaction. */
  function breaking(library: "ethers" | "viem"): EthersSigner | WalletClient {
    const request = async ({ method, params }: { method: string; params?: unknown }) => {
      const answer = await ask(method, params as readonly unknown[]);
      if (method === "eth_sendRawTransaction") throw new Error("socket hang up");
      return answer;
    };
    const { account } = fixture.alpha.wallet(0);
    return library === "viem"
      ? createWalletClient({ account, transport: custom({ request }, { retryCount: 0 }) })
      : new EthersWallet(
          fixture.alpha.info.accounts[0]?.privateKey ?? "",
          new BrowserProvider({ request }, "any", { cacheTimeout: -1 }),
        );
  }

  for (const library of ["viem", "ethers"] as const) {
    it(`finds a deposit whose answer was lost once it is mined, and waits for it, with ${library}`, async () => {
      const before = await nonceNow();
      const quote = await quoteOf();
      const lost = await run(quote, async () => undefined, { wallet: breaking(library) });
      expect(lost.result).to.include({ code: "WALLET_FAILED", outcome: "unknown" });
      expect(lost.state?.items[0]).to.include({ status: "sending" });
      const early = await run(quote, async () => undefined, { state: lost.state });
      expect(early.result).to.include({ code: "STEP_REJECTED" });
      await mine();
      const again = await run(quote, async () => undefined, { state: lost.state });
      expect(again.result).to.have.property("status", "success");
      expect((await nonceNow()) - before).to.equal(1);
    });
  }

  it("does not mistake another transaction of the account for the one whose answer was lost", async () => {
    const [quote, other] = [await quoteOf(), await quoteOf()];
    await mine();
    const refusing = { eth_sendRawTransaction: new Error("socket hang up") };
    const request = async ({ method, params }: { method: string; params?: unknown }) => {
      const error = refusing[method as keyof typeof refusing];
      if (error !== undefined) throw error;
      return ask(method, params as readonly unknown[]);
    };
    const { account } = fixture.alpha.wallet(0);
    const wallet = createWalletClient({ account, transport: custom({ request }, { retryCount: 0 }) });
    const lost = await run(quote, async () => undefined, { wallet });
    expect(lost.result).to.include({ code: "WALLET_FAILED", outcome: "unknown" });
    await automine(true);
    expect((await run(other, async () => undefined)).result).to.have.property("status", "success");
    const before = await nonceNow();
    const again = await run(quote, async () => undefined, { state: lost.state });
    expect(again.result).to.include({ code: "STEP_REJECTED" });
    expect((await nonceNow()) - before).to.equal(0);
  });

  it("times out on a deposit that every node dropped, names it, and never resends it", async () => {
    const before = await nonceNow();
    const quote = await quoteOf();
    const dropped = await run(
      quote,
      async ({ items }) => {
        await ask("hardhat_dropTransaction", [items[0]?.txHash]);
        await mine();
      },
      { timeout: 100 },
    );
    expect(dropped.result).to.include({ code: "TIMEOUT" });
    expect(dropped.result).to.have.property("operation").that.includes(dropped.state?.items[0]?.txHash);
    const again = await run(quote, async () => undefined, { state: dropped.state, timeout: 100 });
    expect(again.result).to.include({ code: "TIMEOUT" });
    expect((await nonceNow()) - before).to.equal(0);
  });

  it("stops waiting when the caller aborts, and finds the deposit mined later", async () => {
    const controller = new AbortController();
    const quote = await quoteOf();
    const { result, state } = await run(quote, async () => controller.abort(), { signal: controller.signal });
    expect(result).to.have.property("code", "ABORTED");
    await mine();
    const before = await nonceNow();
    const again = await run(quote, async () => undefined, { state });
    expect(again.result).to.have.property("status", "success");
    expect((await nonceNow()) - before).to.equal(0);
  });
});
