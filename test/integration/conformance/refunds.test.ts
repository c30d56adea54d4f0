import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { RequestRecord } from "../../../src/schema/record/requestV3.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fiftyDollars } from "../../helpers/quotes/intents.ts";
import { recordOf } from "../../helpers/quotes/sponsors.ts";
import { addressOf, depositAddressStage, payer } from "../../helpers/requests/depositAddressStage.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a quote without refundTo", () => {
  const fixture = useEmulator();
  const control = () => fixture.emulator.control;
  const { ended, pay, quoteAt } = depositAddressStage(fixture);
  const unnamed = (wanted: Parameters<typeof quoteOf>[1] = {}) =>
    quoteOf(fixture, { refundTo: undefined, ...wanted });
  const held = () => fixture.alpha.balanceOf(zeroAddress, fixture.alpha.info.contracts.depository);
  const recordsOf = async (quote: Quote) =>
    (await recordOf(fixture.emulator, quote, "v3")) as unknown as RequestRecord;
  const untilChildren = (quote: Quote, count: number) =>
    until(async () => {
      const { children } = await historyOf(fixture.emulator, idOf(quote));
      const done = children.filter(({ status }) => status === "failure" || status === "refund");
      return done.length === count ? done : undefined;
    }, `${count} children`);

  it("a deposit of it one wei too small: fails, is not refunded, and stays withdrawable at the depository", async () => {
    const quote = await unnamed({ tradeType: "EXACT_OUTPUT" });
    const before = await held();
    const paid = BigInt(quote.details.currencyIn.amount) - 1n;
    await deposit(fixture, orderIdOf(quote), paid);
    const { details, failReason, refundFailReason, transactions } = await reached(
      fixture.emulator,
      idOf(quote),
      "failure",
      "refund",
      "success",
    );
    expect({ failReason, refundFailReason, transactions }).to.deep.equal({
      failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
      refundFailReason: null,
      transactions: [],
    });
    expect(details).to.contain("`refundTo`");
    expect((await held()) - before).to.equal(paid);
    const { data, protocol, refundTo, status } = await recordsOf(quote);
    expect({ outTxs: data?.outTxs, refundTo, status, withdrawable: protocol?.isWithdrawable }).to.deep.equal({
      outTxs: [],
      refundTo: null,
      status: "failure",
      withdrawable: true,
    });
  });

  it("a second deposit for it, and one of another account: both fail and stay, and the first one is filled once", async () => {
    const quote = await unnamed();
    const before = await held();
    await deposit(fixture, orderIdOf(quote), ether, { payer: 3 });
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
    await deposit(fixture, orderIdOf(quote));
    const children = await untilChildren(quote, 2);
    expect(children.map(({ failReason, status }) => `${status} ${failReason}`)).to.have.members([
      "failure INVALID_SENDER",
      "failure DOUBLE_SPEND",
    ]);
    expect((await historyOf(fixture.emulator, idOf(quote))).transactions).to.have.length(1);
    expect((await held()) - before).to.equal(3n * ether);
  });

  it("a fill of it that fails: the request fails with the fill's reason, and no refund is sent", async () => {
    const quote = await unnamed();
    await control().faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", requestId: idOf(quote) });
    await deposit(fixture, orderIdOf(quote));
    const history = await reached(fixture.emulator, idOf(quote), "failure", "refund", "success");
    expect(history).to.include({ failReason: "SLIPPAGE", status: "failure" });
    expect(history.transactions).to.deep.equal([]);
  });

  it("an open deposit address of it: a payment that no quote covers is swept and fails, and the sender gets nothing", async () => {
    const quote = await quoteAt({ from: "USDC", refundTo: undefined, to: "USDC" });
    const sender = fixture.alpha.wallet(payer).account.address;
    await control().faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", requestId: idOf(quote) });
    await pay(addressOf(quote), "USDC", fiftyDollars("USDC"));
    const paid = await fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), sender);
    const [record] = await ended(addressOf(quote), 1);
    expect(record).to.include({ refundTo: null, status: "failure" });
    await control().chains.setHealth(fixture.alpha.info.id, { disabled: true });
    await pay(addressOf(quote), "USDC", 7_000_000n);
    const [, second] = await ended(addressOf(quote), 2);
    await control().chains.setHealth(fixture.alpha.info.id, { disabled: false });
    expect([second?.status, second?.data?.failReason]).to.deep.equal(["failure", "NO_QUOTES"]);
    const left = await fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), sender);
    expect(paid - left).to.equal(7_000_000n);
  });

  it("an orphan deposit, which names no quote: is refunded to its depositor", async () => {
    const user = fixture.alpha.wallet(6).account.address as Address;
    const before = await fixture.alpha.balanceOf(zeroAddress, user);
    await deposit(fixture, fresh().padEnd(66, "0") as Address, ether, { payer: 6 });
    await until(async () => {
      const lost = before - (await fixture.alpha.balanceOf(zeroAddress, user));
      return lost < ether / 100n ? true : undefined;
    }, "the refund");
  });

  it("with lenient: is refunded to the user, and to the sender of a payment to a deposit address", async () => {
    await control().config.set({ lenient: true });
    try {
      const quote = await unnamed({ tradeType: "EXACT_OUTPUT" });
      await deposit(fixture, orderIdOf(quote), BigInt(quote.details.currencyIn.amount) - 1n);
      await reached(fixture.emulator, idOf(quote), "refund");
      const open = await quoteAt({ from: "USDC", refundTo: undefined, to: "USDC" });
      await control().faults.add({ failReason: "SLIPPAGE", kind: "fill-fails", requestId: idOf(open) });
      await pay(addressOf(open), "USDC", fiftyDollars("USDC"));
      const [record] = await ended(addressOf(open), 1);
      expect(record?.status).to.equal("refund");
    } finally {
      await control().config.set({ lenient: false });
    }
  });
});
