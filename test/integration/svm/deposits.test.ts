import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";
import { memoProgram } from "../../../emulator/chains/svm/svmPayment.ts";
import { getQuote, getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { payOnAlpha } from "../../helpers/perps.ts";
import { deposit, fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { reached, until } from "../../helpers/requests/requestHistory.ts";
import {
  freshSvm,
  payOnSvm,
  sol,
  svmBalance,
  svmUsdc,
  svmUser,
  svmWithdrawal,
  transferToSolver,
} from "../../helpers/svm.ts";

describe("deposits to the SVM chain", () => {
  const fixture = useEmulator({ svm: true });
  const quoted = async (overrides: Partial<Parameters<typeof getQuote>[1]>) =>
    getQuote(fixture.client, {
      amount: parseEther("1").toString(),
      destinationChainId: 792703809,
      destinationCurrency: sol.address,
      originChainId: fixture.alpha.info.id,
      originCurrency: zeroAddress,
      recipient: await freshSvm(),
      refundTo: fixture.alpha.wallet(0).account.address,
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });

  for (const [what, currency, origin] of [
    ["lamports", sol, "ETH"],
    ["tokens", svmUsdc, "USDC"],
  ] as const) {
    // @spec svm/deposit
    // @spec svm/chain-id
    // @spec svm/native-decimals
    it(`a deposit for ${what}: reaches a new wallet to the unit of the quote`, async () => {
      const recipient = await freshSvm();
      const quote = await quoted({
        amount: origin === "ETH" ? parseEther("1").toString() : "25000000",
        destinationCurrency: currency.address,
        originCurrency: fixture.alpha.currency(origin),
        recipient,
      });
      await payOnAlpha(fixture, quote);
      const { status, transactions } = await reached(
        fixture.emulator,
        idOf(quote),
        "success",
        "refund",
        "failure",
      );
      expect(status).to.equal("success");
      const { amount, currency: out } = quote.details.currencyOut;
      expect(out).to.include({ address: currency.address, chainId: 792703809, decimals: currency.decimals });
      expect(await svmBalance(fixture, recipient, currency.address)).to.equal(BigInt(amount));
      const shown = await getStatus(fixture.client, { requestId: idOf(quote) });
      expect(shown).to.include({ destinationChainId: 792703809 });
      expect(shown.txHashes).to.deep.equal(transactions.map(({ hash }) => hash));
    });
  }

  it("a fixed output: arrives exactly, and what was paid beyond it by its price", async () => {
    for (const [currency, amount] of [
      [sol, 1_234_567_891n],
      [svmUsdc, 7_654_321n],
    ] as const) {
      const recipient = await freshSvm();
      const quote = await quoted({
        amount: amount.toString(),
        destinationCurrency: currency.address,
        recipient,
        tradeType: "EXACT_OUTPUT",
      });
      await payOnAlpha(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      expect(await svmBalance(fixture, recipient, currency.address)).to.equal(amount);
    }
  });

  it("an overpaid fixed output of another asset: delivers the surplus at the quoted price", async () => {
    const recipient = await freshSvm();
    const quote = await quoted({ amount: "3000000000", recipient, tradeType: "EXACT_OUTPUT" });
    const paid = BigInt(quote.details.currencyIn.amount);
    await deposit(fixture, orderIdOf(quote), paid + parseEther("0.06"));
    await reached(fixture.emulator, idOf(quote), "success");
    // 0.06 ether at 2,500 dollars are one SOL at 150.
    expect(await svmBalance(fixture, recipient)).to.equal(4_000_000_000n);
  });

  it("lamports below the rent of a new wallet: are refused by the quote", async () => {
    const error = await failureOf(quoted({ amount: "890879", tradeType: "EXACT_OUTPUT" }));
    expect(error).to.include({ errorCode: "AMOUNT_TOO_LOW", status: 400 });
    await quoted({ amount: "890880", tradeType: "EXACT_OUTPUT" });
  });

  it("lamports for a program that the payment calls: refunds, because the chain rejects the payment", async () => {
    const quote = await quoted({ recipient: memoProgram });
    await payOnAlpha(fixture, quote);
    const { failReason, status } = await reached(
      fixture.emulator,
      idOf(quote),
      "success",
      "refund",
      "failure",
    );
    expect([status, failReason]).to.deep.equal(["refund", "DESTINATION_TOKEN_TRANSFER_REJECTED"]);
  });
});

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

  it("a payment with an unknown order's id: is refunded to its payer", async () => {
    const user = await svmUser(2);
    const before = await svmBalance(fixture, user.address, svmUsdc.address);
    const memo = `0x${"77".repeat(32)}`;
    await transferToSolver(fixture, { amount: 9_000_000n, currency: svmUsdc, from: user, memo });
    const lost = async () => before - (await svmBalance(fixture, user.address, svmUsdc.address));
    await until(async () => ((await lost()) < 9_000_000n ? true : undefined), "the refund");
    expect(await lost()).to.equal(750n);
  });
});
