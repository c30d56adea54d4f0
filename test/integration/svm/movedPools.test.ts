import { expect } from "chai";
import type { Address } from "viem";
import { loadSvm } from "../../../emulator/chains/svm/loadSvm.ts";
import { deriveSvmPools } from "../../../emulator/chains/svm/swap/svmPools.ts";
import { getQuote, HttpError, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { payOnAlpha } from "../../helpers/perps.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, payOnSvm, svmBalance, svmTokenOf, svmUser, svmWithdrawal } from "../../helpers/svm.ts";

type Overrides = Partial<Parameters<typeof getQuote>[1]>;

const ends = ["success", "refund", "failure"] as const;

describe("pools of the SVM chain that move between quote, deposit and fill", () => {
  const fixture = useEmulator({ svm: true });
  const { address: wif } = svmTokenOf("WIF");
  const toSvm = async (overrides: Overrides): Promise<Quote> =>
    getQuote(fixture.client, {
      amount: "5000000",
      destinationChainId: 792703809,
      destinationCurrency: wif,
      originChainId: fixture.alpha.info.id,
      originCurrency: fixture.alpha.currency("USDC"),
      recipient: await freshSvm(),
      tradeType: "EXACT_OUTPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });
  const endOf = (quote: Quote) => reached(fixture.emulator, idOf(quote), ...ends);

  for (const isExact of [true, false]) {
    it(`eight fixed outputs of one round${isExact ? ", which must be exact" : ""}: all arrive, although each fill moves the pool of the next`, async () => {
      const { clock, faults } = fixture.emulator.control;
      const paid: { quote: Quote; recipient: string }[] = [];
      for (let index = 0; index < 8; index++) {
        const recipient = await freshSvm();
        const quote = await toSvm({ ...(isExact && { enableTrueExactOutput: true }), recipient });
        await faults.add({ delayMs: 10_000, kind: "fill-slow", requestId: idOf(quote) });
        await payOnAlpha(fixture, quote);
        await reached(fixture.emulator, idOf(quote), "pending");
        paid.push({ quote, recipient });
      }
      for (const { quote, recipient } of paid) {
        // A fault of the last one may begin only now.
        await clock.advance(11_000);
        const { details, status } = await endOf(quote);
        expect(status, details ?? "").to.equal("success");
        const arrived = await svmBalance(fixture, recipient, wif);
        if (isExact) expect(arrived).to.equal(5_000_000n);
        else expect(arrived >= 5_000_000n && arrived < 5_010_000n, `${arrived}`).to.equal(true);
      }
    });
  }

  it("a price so low that the pools hold more than the swap program trades: leaves no route, and a higher one has it again", async () => {
    const { prices } = fixture.emulator.control;
    const { address: jto } = svmTokenOf("JTO");
    const user = await svmUser();
    const terms = { amount: "100000000000", originCurrency: jto, user: user.address };
    for (const price of ["0.05", "0.0001", "0.0000001"]) {
      await prices.set({ JTO: price });
      for (const [quoted, code] of [
        [() => svmWithdrawal(fixture, terms), "NO_SWAP_ROUTES_FOUND"],
        [
          () => toSvm({ destinationCurrency: jto, tradeType: "EXACT_INPUT" }),
          "NO_INTERNAL_SWAP_ROUTES_FOUND",
        ],
      ] as const) {
        const error = await failureOf(quoted());
        expect(error).to.be.instanceOf(HttpError);
        expect((error as HttpError).errorCode, price).to.equal(code);
      }
    }
    await prices.set({ JTO: "3" });
    const quote = await svmWithdrawal(fixture, terms);
    await payOnSvm(fixture, quote, user);
    expect((await endOf(quote)).status).to.equal("success");
  });

  it("all pools drained or emptied after the quote: the chain refuses the deposit, and a fill is refunded with SLIPPAGE", async () => {
    const { balances } = fixture.emulator.control;
    const pools = await deriveSvmPools(await loadSvm());
    const holdings = pools.flatMap(({ address, tokens }) =>
      tokens.map((token) => ({ account: address as Address, chainId: 792703809, currency: token.address })),
    );
    const held = await Promise.all(holdings.map((each) => balances.get(each)));
    const restore = async () => {
      for (const [index, each] of holdings.entries())
        await balances.set({ ...each, amount: held[index] ?? 0n });
    };
    const user = await svmUser();
    const sold = await svmWithdrawal(fixture, {
      amount: "10000000",
      originCurrency: wif,
      user: user.address,
    });
    for (const [amount, terms] of [
      [0n, { tradeType: "EXACT_INPUT" }],
      [1n, {}],
      [0n, { enableTrueExactOutput: true }],
      [1n, { tradeType: "EXPECTED_OUTPUT" }],
    ] as const) {
      const bought = await toSvm(terms);
      for (const each of holdings) await balances.set({ ...each, amount });
      const before = await svmBalance(fixture, user.address, wif);
      expect(String(((await failureOf(payOnSvm(fixture, sold, user))) as Error).cause)).to.match(/#6003/);
      expect(await svmBalance(fixture, user.address, wif)).to.equal(before);
      await payOnAlpha(fixture, bought);
      const { failReason, status } = await endOf(bought);
      expect([status, failReason]).to.deep.equal(["refund", "SLIPPAGE"]);
      await restore();
    }
    await payOnSvm(fixture, sold, user);
    expect((await endOf(sold)).status).to.equal("success");
  });
});
