import { expect } from "chai";
import { zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fiftyDollars, requestIdOf } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { deposit, fresh, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import {
  freshSvm,
  payAddress,
  svmBalance,
  svmUsdc,
  svmUser,
  svmWithdrawal,
  transferToSolver,
} from "../../helpers/svm.ts";

describe("a deposit address whose order an attacker pays at the depository", () => {
  const fixture = useEmulator({ svm: true });
  const { ended, pay, quoteAt } = depositAddressStage(fixture);
  const slow = (requestId: `0x${string}`) =>
    fixture.emulator.control.faults.add({ delayMs: 500, kind: "signed-deposit-slow", requestId });

  it("one wei to an open address, before the sweep: the payer's money is filled under another id", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const quote = await quoteAt({ from: "ETH", recipient, refundTo: fresh(), to: "ETH" });
    const address = addressOf(quote);
    await slow(requestIdOf(quote));
    await pay(address, "ETH", fiftyDollars("ETH"));
    await reached(fixture.emulator, requestIdOf(quote), "depositing");
    await deposit(fixture, orderIdOf(quote), 1n, { payer: 7 });
    const records = await ended(address, 2);
    expect(records.map(({ status }) => status)).to.include("success");
    expect(await alpha.balanceOf(zeroAddress, address)).to.equal(0n);
    expect((await beta.balanceOf(zeroAddress, recipient)) > (fiftyDollars("ETH") * 9n) / 10n).to.equal(true);
  });

  it("the quoted amount to a strict address, before the sweep: the payer's money is refunded", async () => {
    const { alpha } = fixture;
    const refundTo = fresh();
    const quote = await quoteAt({ from: "ETH", refundTo, strict: true, to: "ETH" });
    const address = addressOf(quote);
    await slow(requestIdOf(quote));
    await pay(address, "ETH", fiftyDollars("ETH"));
    await reached(fixture.emulator, requestIdOf(quote), "depositing");
    await deposit(fixture, orderIdOf(quote), fiftyDollars("ETH"), { payer: 7 });
    const records = await ended(address, 2);
    expect(records.map(({ status }) => status)).to.have.members(["success", "refund"]);
    expect(await alpha.balanceOf(zeroAddress, address)).to.equal(0n);
    expect((await alpha.balanceOf(zeroAddress, refundTo)) > (fiftyDollars("ETH") * 9n) / 10n).to.equal(true);
  });

  it("the quoted amount to a strict SVM address, before the sweep: the payer's money is refunded", async () => {
    const refundTo = await freshSvm();
    const quote = await svmWithdrawal(fixture, { refundTo, strict: true, useDepositAddress: true });
    const address = quote.steps[0]?.depositAddress as `0x${string}`;
    await slow(requestIdOf(quote));
    const payment = { amount: 25_000_000n, currency: svmUsdc };
    await payAddress(fixture, address, { ...payment, from: await svmUser() });
    await reached(fixture.emulator, requestIdOf(quote), "depositing");
    await transferToSolver(fixture, { ...payment, from: await svmUser(2), memo: orderIdOf(quote) });
    const records = await ended(address, 2);
    expect(records.map(({ status }) => status)).to.have.members(["success", "refund"]);
    expect(await svmBalance(fixture, address, svmUsdc.address)).to.equal(0n);
    expect((await svmBalance(fixture, refundTo, svmUsdc.address)) > 24_000_000n).to.equal(true);
  });

  it("one unit to an open SVM address, before the sweep: the payer's money is filled under another id", async () => {
    const quote = await svmWithdrawal(fixture, { refundTo: await freshSvm(), useDepositAddress: true });
    const address = quote.steps[0]?.depositAddress as `0x${string}`;
    await slow(requestIdOf(quote));
    await payAddress(fixture, address, { amount: 25_000_000n, currency: svmUsdc, from: await svmUser() });
    await reached(fixture.emulator, requestIdOf(quote), "depositing");
    const memo = orderIdOf(quote);
    await transferToSolver(fixture, { amount: 1n, currency: svmUsdc, from: await svmUser(2), memo });
    const records = await ended(address, 2);
    expect(records.map(({ status }) => status)).to.include("success");
    expect(await svmBalance(fixture, address, svmUsdc.address)).to.equal(0n);
  });
});
