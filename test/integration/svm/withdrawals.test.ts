import { expect } from "chai";
import { memoProgram } from "../../../emulator/chains/svm/svmPayment.ts";
import { type getQuote, getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";
import {
  payOnSvm,
  payOtherAccount,
  sol,
  svmBalance,
  svmUsdc,
  svmUser,
  svmWithdrawal,
  transferToSolver,
} from "../../helpers/svm.ts";

const fee = 5_000n;
const ends = ["success", "refund", "failure"] as const;

describe("withdrawals from the SVM chain", () => {
  const fixture = useEmulator({ svm: true });
  const quoted = (overrides: Partial<Parameters<typeof getQuote>[1]> = {}) =>
    svmWithdrawal(fixture, overrides);
  const endOf = (quote: Awaited<ReturnType<typeof quoted>>) =>
    reached(fixture.emulator, idOf(quote), ...ends);

  for (const [what, currency, out] of [
    ["tokens", svmUsdc, "USDC"],
    ["lamports", sol, "ETH"],
  ] as const) {
    // @spec svm/withdrawal svm/calldata
    it(`a deposit of ${what}: reaches the recipient, at least at the quoted minimum`, async () => {
      const recipient = fresh();
      const user = await svmUser();
      const quote = await quoted({
        amount: currency === sol ? "2000000000" : "25000000",
        destinationCurrency: fixture.beta.currency(out),
        originCurrency: currency.address,
        recipient,
      });
      const before = await svmBalance(fixture, user.address, currency.address);
      const signature = await payOnSvm(fixture, quote, user);
      expect((await endOf(quote)).status).to.equal("success");
      const { amount, minimumAmount } = quote.details.currencyOut;
      const arrived = await fixture.beta.balanceOf(fixture.beta.currency(out), recipient);
      expect(arrived >= BigInt(minimumAmount ?? amount)).to.equal(true);
      const paid = before - (await svmBalance(fixture, user.address, currency.address));
      expect(paid).to.equal(BigInt(quote.details.currencyIn.amount) + (currency === sol ? fee : 0n));
      expect(quote.fees.gas).to.include({ amount: fee.toString(), amountFormatted: "0.000005" });
      expect(quote.fees.gas?.currency.symbol).to.equal("SOL");
      const shown = await getStatus(fixture.client, { requestId: idOf(quote) });
      expect(shown.inTxHashes).to.deep.equal([signature]);
    });
  }

  it("lamports whose refundTo is a program that the refund calls: the refund is rejected", async () => {
    const user = await svmUser(1);
    const quote = await quoted({
      amount: "2000000000",
      destinationCurrency: fixture.beta.currency("ETH"),
      originCurrency: sol.address,
      refundTo: memoProgram,
      user: user.address,
    });
    const held = await svmBalance(fixture, memoProgram);
    await transferToSolver(fixture, { amount: 1_000_000_000n, from: user, memo: orderIdOf(quote) });
    const { failReason, status } = await endOf(quote);
    expect([status, failReason]).to.deep.equal(["failure", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
    expect(await svmBalance(fixture, memoProgram)).to.equal(held);
  });

  it("a payment with an unknown order's id: is refunded to its payer", async () => {
    const user = await svmUser(2);
    const before = await svmBalance(fixture, user.address, svmUsdc.address);
    const memo = `0x${"77".repeat(32)}`;
    await transferToSolver(fixture, { amount: 9_000_000n, currency: svmUsdc, from: user, memo });
    const lost = async () => before - (await svmBalance(fixture, user.address, svmUsdc.address));
    await until(async () => ((await lost()) < 9_000_000n ? true : undefined), "the refund");
    expect(await lost()).to.equal(750n);
  });

  it("lamports for ether after the five minutes of an oracle price: are refunded", async () => {
    const user = await svmUser();
    const quote = await quoted({
      amount: "2000000000",
      destinationCurrency: fixture.beta.currency("ETH"),
      originCurrency: sol.address,
    });
    await fixture.emulator.control.clock.advance(301_000);
    await payOnSvm(fixture, quote, user);
    const { failReason, status } = await endOf(quote);
    expect([status, failReason]).to.deep.equal(["refund", "TTL_EXPIRED"]);
  });

  it("a token account of the solver that it cannot spend from: takes no deposit", async () => {
    const user = await svmUser();
    const [quote, later] = [await quoted(), await quoted()];
    await payOtherAccount(fixture, { amount: 25_000_000n, from: user, memo: orderIdOf(quote) });
    await payOnSvm(fixture, later, user);
    expect((await endOf(later)).status).to.equal("success");
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");
  });
});
