import { expect } from "chai";
import { zeroAddress } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import {
  type FastFillTerms,
  fastFillRefusal,
  fillFast,
  keyedQuote,
  outstandingOf,
} from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { outputOf, reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("limits of fast fills", () => {
  const fixture = useEmulator({ reorgs: true });
  const config = () => fixture.emulator.control.config;
  afterEach(() => config().set({ advancePerKey: "50000", advancePerRequest: "10000" }));

  async function quoted(overrides: Parameters<typeof keyedQuote>[1] = {}) {
    const wallet = fresh();
    const appFees = [{ fee: "1", recipient: wallet }];
    return { quote: await keyedQuote(fixture, { appFees, ...overrides }), wallet };
  }
  /** Fills a request, and resolves with the wei that left the solver with the fill, gas included. */
  async function spentFor(quote: Quote, terms: FastFillTerms = {}): Promise<bigint> {
    const address = fixture.emulator.info.solver;
    const before = await fixture.beta.balanceOf(zeroAddress, address);
    await fillFast(fixture, quote, terms);
    await reached(fixture.emulator, idOf(quote), "success");
    return before - (await fixture.beta.balanceOf(zeroAddress, address));
  }
  const microsOf = (wei: bigint) => Number((wei * 2_500n) / 10n ** 12n);

  it("a native fill: counts the output and its gas, which the fill does not exceed", async () => {
    const { quote, wallet } = await quoted();
    const spent = microsOf(await spentFor(quote));
    const counted = Math.round((await outstandingOf(fixture, wallet)) * 1e6);
    expect(spent).to.be.above(microsOf(outputOf(quote)));
    expect(counted >= spent && counted < spent + 1_000_000, `${counted}, spent ${spent}`).to.equal(true);
  });

  it("a token fill with a gas top-up: counts the token and the native currency", async () => {
    const terms = {
      amount: 1_000_000_000n,
      destinationCurrency: fixture.beta.currency("USDC"),
      originCurrency: fixture.alpha.currency("USDC"),
      topupGas: true,
      topupGasAmount: "5000000",
    };
    const { quote, wallet } = await quoted(terms);
    const native = microsOf(await spentFor(quote));
    expect(native).to.be.within(4_900_000, 6_000_000);
    const tokens = Number(outputOf(quote));
    const counted = Math.round((await outstandingOf(fixture, wallet)) * 1e6);
    expect(counted >= tokens + native, `${counted} of ${tokens} and ${native}`).to.equal(true);
  });

  it("a limit between the output and the output with its gas: 400", async () => {
    const { quote } = await quoted();
    const output = (microsOf(outputOf(quote)) + 1) / 1e6;
    await config().set({ advancePerRequest: output.toFixed(6) });
    expect((await fastFillRefusal(fixture, idOf(quote)))[0]).to.equal(400);
    await config().set({ advancePerRequest: (output + 1).toFixed(6) });
    await fillFast(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
  });

  it("a fill that reverts when it is asked for: counts the most gas that is paid", async () => {
    const recipient = fresh();
    const { quote } = await quoted({ recipient });
    await setCode(fixture.beta, recipient, reverting);
    await config().set({ advancePerRequest: ((microsOf(outputOf(quote)) + 1_000_000) / 1e6).toFixed(6) });
    expect((await fastFillRefusal(fixture, idOf(quote)))[0]).to.equal(400);
  });

  it("a released advance, and one paid twice: each frees its own part of the key's limit once", async () => {
    const { key } = await fixture.emulator.control.keys.create({ name: "once" });
    await config().set({ advancePerKey: "5200" });
    const recipient = fresh();
    const broken = await quoteOf(fixture, { recipient });
    const [first, second, third] = [await quoteOf(fixture), await quoteOf(fixture), await quoteOf(fixture)];
    const refusedFor = async (quote: Quote) => (await fastFillRefusal(fixture, idOf(quote), {}, key))[0];
    await setCode(fixture.beta, recipient, reverting);
    await fillFast(fixture, broken, {}, key);
    await reorgStage(fixture).followed(broken, "fast-fill-released", "waiting");
    for (const quote of [first, second]) {
      await fillFast(fixture, quote, {}, key);
      await reached(fixture.emulator, idOf(quote), "success");
    }
    expect(await refusedFor(third)).to.equal(400);
    // Twice the advance, and once more: the second request's debt stays.
    await deposit(fixture, orderIdOf(first), 2n * ether);
    await deposit(fixture, orderIdOf(first));
    await until(async () => {
      const { children } = await historyOf(fixture.emulator, idOf(first));
      return children.length === 2 ? true : undefined;
    }, "both refunds");
    await fillFast(fixture, third, {}, key);
    const fourth = await quoteOf(fixture);
    expect(await refusedFor(fourth)).to.equal(400);
  });
});
