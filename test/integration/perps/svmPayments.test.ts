import { expect } from "chai";
import { getQuote } from "../../../src/client/index.ts";
import { perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { ended, exchangeBalance, withdraw, withdrawalQuote } from "../../helpers/perps.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { freshSvm, payOnSvm, sol, svmBalance, svmUsdc, svmUser } from "../../helpers/svm.ts";

describe("payments between the perps exchange and the SVM chain", () => {
  const fixture = useEmulator({ perps: true, svm: true });

  for (const { address } of [svmUsdc, sol]) {
    it(`a withdrawal in ${address}: reaches a new wallet to the unit of the quote`, async () => {
      const recipient = await freshSvm();
      const overrides = { destinationChainId: 792703809, destinationCurrency: address, recipient };
      const quote = await withdrawalQuote(fixture, overrides);
      expect((await withdraw(fixture, quote)).status).to.equal("success");
      const { amount } = quote.details.currencyOut;
      expect(await svmBalance(fixture, recipient, address)).to.equal(BigInt(amount));
    });

    it(`a deposit of ${address}: reaches the account to the unit of the quote`, async () => {
      const [recipient, user] = [fresh(), await svmUser()];
      const quote = await getQuote(fixture.client, {
        amount: address === sol.address ? "2000000000" : "25000000",
        destinationChainId: 1337,
        destinationCurrency: perpsUsdcAddress,
        originChainId: 792703809,
        originCurrency: address,
        recipient,
        tradeType: "EXACT_INPUT",
        user: user.address,
      });
      await payOnSvm(fixture, quote, user);
      expect((await ended(fixture, quote)).status).to.equal("success");
      const { amount } = quote.details.currencyOut;
      expect(await exchangeBalance(fixture, recipient)).to.equal(BigInt(amount));
    });
  }
});
