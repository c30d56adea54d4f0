import { expect } from "chai";
import { perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { fillFast, keyedQuote } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { exchangeBalance, payOnAlpha } from "../../helpers/perps.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, sol, svmBalance } from "../../helpers/svm.ts";

describe("a fast fill outside of EVM chains", () => {
  const fixture = useEmulator({ perps: true, svm: true });

  for (const [where, chainId, currency, account, balanceOf] of [
    ["the SVM chain", 792703809, sol.address, freshSvm, svmBalance],
    ["the perps exchange", 1337, perpsUsdcAddress, async () => fresh(), exchangeBalance],
  ] as const) {
    it(`to ${where}: pays the quoted amount before the deposit, which covers it without a second fill`, async () => {
      const recipient = await account();
      const quote = await keyedQuote(fixture, {
        ...{ destinationChainId: chainId, destinationCurrency: currency, recipient },
      });
      await fillFast(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      const amount = BigInt(quote.details.currencyOut.amount);
      const held = () => balanceOf(fixture, recipient as never, currency);
      expect(await held()).to.equal(amount);
      await payOnAlpha(fixture, quote);
      await until(async () => {
        const { deposits } = await historyOf(fixture.emulator, idOf(quote));
        return deposits.length > 0 ? true : undefined;
      }, "the deposit");
      expect(await held()).to.equal(amount);
    });
  }
});
