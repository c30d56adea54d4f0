import { axios, createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { createWalletClient, custom, decodeFunctionData, erc20Abi, type Hex, parseEther } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { createQuoteGuard, guardProvider, type Refusal, watchAxios } from "../../../src/guard/index.ts";
import type { Quote } from "../../../src/schema/quote/quote.ts";
import { createWallet } from "../../browser/widget/page/wallet.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { type HostileChange, hostileChanges } from "../../helpers/guard/hostileChanges.ts";
import { marketPrice } from "../../helpers/guard/marketPrice.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { fiftyDollars, recipient, sendAs, symbols, type TestSymbol } from "../../helpers/quotes/intents.ts";
import { takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { attacker } from "../../helpers/quotes/quoteChanges.ts";

type Swap = {
  readonly name: string;
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  readonly sameChain?: boolean;
  readonly more?: object;
  readonly steps: readonly string[];
  /** Methods that reach the wallet; transactions unless named. */
  readonly methods?: readonly string[];
  readonly canBatch?: boolean;
  readonly refusals?: number;
};

const signedPayment = { options: { usePermit: true } };
const transaction = "eth_sendTransaction";
const typedData = "eth_signTypedData_v4";

const [toEth, toUsdc] = [
  { from: "ETH", to: "ETH" },
  { from: "USDC", to: "USDC" },
] as const;
const exactOutput = { amount: parseEther("0.0123456789").toString(), tradeType: "EXACT_OUTPUT" };
const swapOf = (from: TestSymbol) => ({ from, sameChain: true, to: "USDC" }) as const;
const deposit = ["approve", "deposit"];
const permit = "a permit (ERC-2612), with an appended payment";

const swaps: readonly Swap[] = [
  { ...toEth, name: "native currency across chains", steps: ["deposit"] },
  { ...toUsdc, name: "a token across chains", steps: deposit },
  { from: "USDT", name: "a token whose allowance is reset first", steps: deposit, to: "ETH" },
  { ...swapOf("ETH"), name: "a swap on one chain, with guards inserted", steps: ["swap"] },
  { ...swapOf("WETH"), name: "a token's swap on one chain", steps: ["approve", "swap"] },
  { from: "WETH", name: "swaps on both chains", steps: deposit, to: "USDT" },
  { ...toEth, more: exactOutput, name: "an exact output", steps: ["deposit"] },
  { ...toUsdc, methods: [typedData, transaction], more: signedPayment, name: permit, steps: ["authorize"] },
  {
    ...toUsdc,
    methods: [typedData],
    more: signedPayment,
    name: "an authorization (ERC-3009)",
    steps: ["authorize"],
  },
  { ...toEth, name: "a retry after the person's no", refusals: 1, steps: ["deposit"] },
  {
    ...toUsdc,
    canBatch: true,
    methods: ["wallet_sendCalls"],
    name: "a batch of approval and payment",
    steps: deposit,
  },
];

describe("the service's official client, unmodified, with a guarded wallet", () => {
  let client: RelayClient;
  let proxy: AlteringProxy;
  let alter: (quote: Quote) => void = () => {};
  const fixture = useEmulator();
  before(async () => {
    proxy = await startAlteringProxy({
      alter: (answer, path) => {
        if (path.startsWith("/quote")) alter(answer as Quote);
        return answer;
      },
      target: fixture.emulator.info.apiUrl,
    });
    client = createClient({ baseApiUrl: proxy.url, pollingInterval: 20, source: "waybill.test" });
    await configureDynamicChains();
  });
  after(() => proxy.stop());
  afterEach(() => {
    alter = () => {};
  });

  /** A wallet on alpha, guarded or not, as the client takes it. */
  function open({ canBatch = false, isGuarded = true, watchers = 1 } = {}) {
    const { emulator } = fixture;
    const refusals: Refusal[] = [];
    const guard = createQuoteGuard({
      onRefused: (refusal) => refusals.push(refusal),
      policy: { price: marketPrice(emulator.info.chains), trust: trustOfEmulator(emulator.info) },
    });
    const stops = Array.from({ length: isGuarded ? watchers : 0 }, () => watchAxios(axios, guard));
    const stop = () => {
      for (const each of stops) each();
    };
    const page = createWallet(emulator.info.chains, 0, { canBatch });
    const provider = isGuarded ? guardProvider(page, guard) : page;
    const wallet = createWalletClient({
      account: fixture.alpha.wallet(0).account.address,
      transport: custom(provider as Parameters<typeof custom>[0]),
    });
    return { page, refusals, stop, wallet };
  }

  function quoteOf({
    from,
    more = {},
    sameChain = false,
    to,
  }: Omit<Swap, "name" | "steps">): Promise<Execute> {
    const { alpha, beta } = fixture;
    const target = sameChain ? alpha : beta;
    return client.actions.getQuote({
      amount: fiftyDollars(from).toString(),
      chainId: alpha.info.id,
      currency: alpha.currency(from),
      recipient,
      toChainId: target.info.id,
      toCurrency: target.currency(to),
      tradeType: "EXACT_INPUT",
      user: alpha.wallet(0).account.address,
      ...more,
    });
  }

  /** The money that a hostile answer is after. */
  async function money() {
    const { alpha, beta } = fixture;
    const accounts = [alpha.wallet(0).account.address, attacker];
    return Promise.all(
      [alpha, beta].flatMap((chain) =>
        accounts.flatMap((account) =>
          symbols.map((symbol) => chain.balanceOf(chain.currency(symbol), account)),
        ),
      ),
    );
  }

  for (const wanted of swaps) {
    const {
      canBatch,
      from,
      methods,
      more,
      name,
      refusals: expected = 0,
      sameChain = false,
      steps,
      to,
    } = wanted;
    it(`${name}: passes, and the recipient has the output`, async () => {
      const { alpha, beta } = fixture;
      const needsReset = name.includes("reset");
      if (needsReset) {
        const { steps } = await quoteOf({ from, sameChain, to });
        const { data } = (steps[0]?.items?.[0]?.data ?? {}) as { data: Hex };
        const [spender] = decodeFunctionData({ abi: erc20Abi, data }).args as readonly [Hex];
        await sendAs(alpha, 0, { data: erc20Data("approve", spender, 7n), to: alpha.currency(from) });
      }
      const isPermit = name === permit;
      const restore = isPermit ? await takeAuthorizations(alpha) : async () => {};
      // Two watchers of the same traffic hand the appended payment over twice.
      const { page, refusals, stop, wallet } = open({
        canBatch: canBatch === true,
        watchers: isPermit ? 2 : 1,
      });
      const target = sameChain ? alpha : beta;
      const had = await target.balanceOf(target.currency(to), recipient);
      const quote = await quoteOf({ from, more: more ?? {}, sameChain, to });
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(steps);
      page.person.refusals = expected;
      for (let tries = 0; tries < expected; tries++) {
        expect(String(await failureOf(client.actions.execute({ quote, wallet })))).to.match(/rejected/i);
      }
      await client.actions.execute({ quote, wallet });
      stop();
      const gained = (await target.balanceOf(target.currency(to), recipient)) - had;
      expect(gained.toString()).to.equal(quote.details?.currencyOut?.amount);
      const resets = needsReset ? 1 : 0;
      const asked = methods ?? Array.from({ length: steps.length + expected + resets }, () => transaction);
      expect(page.log.map(({ method }) => method)).to.deep.equal(asked);
      expect(refusals).to.deep.equal([]);
      await restore();
    }).timeout(60_000);
  }

  async function attack(hostile: HostileChange, isGuarded: boolean) {
    const { page, refusals, stop, wallet } = open({ isGuarded });
    alter = (quote) => hostile.change(quote, fixture);
    // Without the guard, the client asks for no order: the order's fields are there only with it.
    const quote = await quoteOf({
      ...hostile,
      more: isGuarded ? {} : { options: { includeProtocolData: true } },
    });
    if (hostile.isOnBeta === true) {
      const params = [{ chainId: `0x${fixture.beta.info.id.toString(16)}` }];
      await page.request({ method: "wallet_switchEthereumChain", params });
    }
    // Without the guard, the person's no keeps the money.
    page.person.refusals = isGuarded ? 0 : 9;
    const error = await failureOf(client.actions.execute({ quote, wallet }));
    stop();
    return { error, log: page.log, refusals };
  }

  for (const hostile of hostileChanges) {
    const { code, name } = hostile;
    const outcome = code === undefined ? "is dropped before the wallet" : "reaches no wallet";
    it(`a hostile change of ${name}: ${outcome}; without the guard, it reaches it`, async () => {
      const before = await money();
      const naked = await attack(hostile, false);
      expect(naked.log.map(({ method }) => method)).to.deep.equal([transaction]);
      expect(await money()).to.deep.equal(before);

      const { error, log, refusals } = await attack(hostile, true);
      if (code === undefined) {
        expect(error).to.equal(undefined);
        expect(Object.keys((naked.log[0]?.params?.[0] ?? {}) as object)).to.include("maxFeePerGas");
        const fields = log.map(({ params }) => Object.keys((params?.[0] ?? {}) as object).sort());
        expect(fields).to.deep.equal([["chainId", "data", "from", "gas", "to", "value"]]);
        return;
      }
      expect(log).to.deep.equal([]);
      expect(await money()).to.deep.equal(before);
      expect(String(error)).to.include("The guard refused eth_sendTransaction");
      expect(refusals).to.have.length(1);
      expect(refusals[0]?.differences.map((each) => each.code)).to.include(code);
    }).timeout(60_000);
  }
});
