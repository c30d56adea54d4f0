import { expect } from "chai";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { payOnAlpha } from "../../helpers/perps.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, svmBalance, svmTokenOf } from "../../helpers/svm.ts";

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
      await clock.advance(11_000);
      for (const { quote, recipient } of paid) {
        const { details, status } = await endOf(quote);
        expect(status, details ?? "").to.equal("success");
        const arrived = await svmBalance(fixture, recipient, wif);
        if (isExact) expect(arrived).to.equal(5_000_000n);
        else expect(arrived >= 5_000_000n && arrived < 5_010_000n, `${arrived}`).to.equal(true);
      }
    });
  }
});
