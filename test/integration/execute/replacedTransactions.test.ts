import { expect } from "chai";
import { BrowserProvider, Wallet as EthersWallet, JsonRpcProvider } from "ethers";
import { createWalletClient, custom, type Hex, parseEther, type WalletClient, zeroAddress } from "viem";
import { type Client, getQuote, type Quote } from "../../../src/client/index.ts";
import {
  type EthersSigner,
  type ExecuteParameters,
  type ExecuteProgress,
  type ExecutionState,
  execute,
  TransactionReplacedError,
} from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { impatientClient } from "../../helpers/impatientClient.ts";
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

  const impatient = () => impatientClient(fixture.emulator.info.apiUrl);

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
    { client = fixture.client, ...more }: Partial<ExecuteParameters> & { client?: Client } = {},
  ) {
    const kept: { phases: string[]; state?: ExecutionState } = { phases: [] };
    let isCalled = false;
    const onProgress = async (event: ExecuteProgress) => {
      kept.state = JSON.parse(JSON.stringify(event.state));
      if (event.type === "item") kept.phases.push(event.phase);
      const [item] = event.state.items;
      if (item?.nonce === undefined || item.status !== "sent" || isCalled) return;
      isCalled = true;
      await meanwhile(event.state);
    };
    const outcome = execute(client, {
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
      expect(phases).to.deep.equal(["sending", "confirming", "confirming", "complete"]);
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
    it(`reports that a deposit was ${what}, keeps it, and pays the quote no second time`, async () => {
      const quote = await quoteOf();
      let other: Hex = "0x";
      const { phases, result, state } = await run(quote, async (pending) => {
        other = await replace(pending, { to: user(), ...change });
        await mine();
      });
      expect(result).to.be.instanceOf(TransactionReplacedError);
      expect(result).to.include({ replacedBy: other, stepId: "deposit" });
      expect(result).to.have.property("hash").that.does.not.equal(other);
      expect(phases).to.not.include("notDone");
      expect(state?.items).to.have.length(1);
      await automine(true);
      const again = await run(quote, async () => undefined, { state });
      expect(again.result).to.be.instanceOf(TransactionReplacedError);
      const fresh = await run(await quoteOf(), async () => undefined);
      expect(fresh.result).to.have.property("status", "success");
    });
  }

  type Answer = (send: () => Promise<unknown>) => Promise<unknown>;
  /** A wallet of this process whose node answers a broadcast by `answer`. */
  function wallet(library: "ethers" | "viem", answer: Answer): EthersSigner | WalletClient {
    const request = async ({ method, params }: { method: string; params?: unknown }) => {
      const send = () => ask(method, params as readonly unknown[]);
      return method === "eth_sendRawTransaction" ? answer(send) : send();
    };
    const { account } = fixture.alpha.wallet(0);
    return library === "viem"
      ? createWalletClient({ account, transport: custom({ request }, { retryCount: 0 }) })
      : new EthersWallet(
          fixture.alpha.info.accounts[0]?.privateKey ?? "",
          new BrowserProvider({ request }, "any", { cacheTimeout: -1 }),
        );
  }
  const failing = (code: number, message: string) => () => {
    throw Object.assign(new Error(message), { code });
  };
  const answers: readonly [what: string, fail: () => never][] = [
    ["-32602", failing(-32602, "invalid params")],
    ["4001", failing(4001, "User rejected the request.")],
    ["insufficient funds", failing(-32000, "insufficient funds for gas * price + value")],
    ["nonce too low", failing(-32000, "nonce too low")],
    ["nothing in time", failing(-32603, "socket hang up")],
  ];

  for (const library of ["viem", "ethers"] as const) {
    for (const [what, fail] of answers) {
      it(`P5: a node that takes a deposit and answers ${what}: it is followed and paid once, with ${library}`, async () => {
        const before = await nonceNow();
        const sent: unknown[] = [];
        const signer = wallet(library, async (send) => {
          sent.push(await send());
          await mine();
          return fail();
        });
        const { result, phases } = await run(await quoteOf(), async () => undefined, { wallet: signer });
        expect(result).to.have.property("status", "success");
        expect(phases).to.not.include("notDone");
        expect((await nonceNow()) - before).to.equal(1);
        expect(sent).to.have.length(1);
      });
    }

    it(`P5: a node that takes no deposit: a later run sends the same bytes and pays once, with ${library}`, async () => {
      const before = await nonceNow();
      const quote = await quoteOf();
      const refusing = wallet(library, async () => failing(4001, "User rejected the request.")());
      const lost = await run(quote, async () => undefined, { client: impatient(), wallet: refusing });
      expect(lost.result).to.include({ code: "PAYMENT_UNSETTLED", txHash: lost.state?.items[0]?.txHash });
      expect((lost.result as Error).message).to.not.match(/nothing was sent/i);
      expect(lost.state?.items[0]).to.include({ status: "signed" });
      await automine(true);
      for (const state of [lost.state, undefined]) {
        const again = await run(quote, async () => undefined, { state });
        if (state === undefined) expect(again.result).to.include({ code: "PAYMENT_CLAIMED" });
        else expect(again.result).to.have.property("status", "success");
        expect(again.state?.items[0]?.txHash).to.equal(state?.items[0]?.txHash);
        expect((await nonceNow()) - before).to.equal(1);
      }
    });
  }

  it("P5: a node that makes up a transaction of the same nonce: the payment is not called replaced", async () => {
    const quote = await quoteOf();
    const before = await nonceNow();
    const request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
      const answer = await ask(method, params as readonly unknown[]);
      const [, isWhole] = params as readonly unknown[];
      if (method === "eth_getTransactionCount" && isWhole !== "pending") return "0xffff";
      if (method !== "eth_getBlockByNumber" || isWhole !== true) return answer;
      const block = answer as { transactions: object[] };
      const made = {
        chainId: "0x7a69",
        from: user(),
        gas: "0x5208",
        gasPrice: "0x1",
        hash: `0x${"ab".repeat(32)}`,
      };
      const signature = { r: `0x${"11".repeat(32)}`, s: `0x${"22".repeat(32)}`, v: "0x1", yParity: "0x1" };
      const nonce = `0x${before.toString(16)}`;
      const fees = { maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1", type: "0x2" };
      const call = { input: "0x", to: user(), value: "0x0" };
      return {
        ...block,
        transactions: [...block.transactions, { ...made, ...signature, ...fees, ...call, nonce }],
      };
    };
    const { account } = fixture.alpha.wallet(0);
    const lying = createWalletClient({ account, transport: custom({ request }, { retryCount: 0 }) });
    const { phases, result, state } = await run(quote, async () => undefined, {
      client: impatient(),
      wallet: lying,
    });
    expect(result).to.include({ code: "PAYMENT_UNSETTLED" });
    expect(phases).to.not.include("notDone");
    await mine();
    await automine(true);
    expect((await run(quote, async () => undefined, { state })).result).to.have.property("status", "success");
    expect((await nonceNow()) - before).to.equal(1);
  });

  it("P5: a deposit that every node dropped: is unsettled with its hash, and a later run sends the same bytes", async () => {
    const before = await nonceNow();
    const quote = await quoteOf();
    const deaf = wallet("viem", async () => `0x${"0".repeat(64)}`);
    const dropped = await run(quote, async () => undefined, { client: impatient(), wallet: deaf });
    const hash = dropped.state?.items[0]?.txHash;
    expect(dropped.result).to.include({ code: "PAYMENT_UNSETTLED", txHash: hash });
    expect(dropped.state?.items[0]).to.include({ status: "sent" });
    await automine(true);
    const again = await run(quote, async () => undefined, { state: dropped.state });
    expect(again.result).to.have.nested.property("originReceipts[0].transactionHash", hash);
    expect((await nonceNow()) - before).to.equal(1);
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

  it("a node that shows an old transaction of the account as the pending deposit: the deposit is open, not replaced", async () => {
    await automine(true);
    const old = await fixture.alpha.wallet(0).sendTransaction({ to: user(), value: 7n });
    const shown = (await ask("eth_getTransactionByHash", [old])) as object;
    await automine(false);
    let paid: unknown;
    const request = async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
      if (paid !== undefined && method === "eth_getTransactionReceipt") return null;
      if (paid !== undefined && method === "eth_getTransactionByHash") return { ...shown, hash: paid };
      const answer = await ask(method, params);
      if (method === "eth_sendTransaction") paid = answer;
      const isBlock = paid !== undefined && method === "eth_getBlockByNumber" && params?.[1] === true;
      return isBlock ? { ...(answer as object), transactions: [shown] } : answer;
    };
    const lying = createWalletClient({ account: user(), transport: custom({ request }, { retryCount: 0 }) });
    const options = { client: impatient(), wallet: lying };
    const { result } = await run(await quoteOf(), async () => undefined, options);
    // TransactionReplacedError would ask for a new quote, and the account would pay twice.
    expect(result).to.have.property("code", "PAYMENT_UNSETTLED");
  });
});
