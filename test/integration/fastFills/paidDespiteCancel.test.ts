import { expect } from "chai";
import { type Hex, zeroAddress } from "viem";
import { type FastFilled, fastFillStage } from "../../helpers/appFees/fastFillStage.ts";
import { earnedOf, outstandingOf } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { automine, mine } from "../../helpers/localChain.ts";
import { deposit, ether, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { outputOf, reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a fast fill that reverts and then pays despite its cancel", () => {
  const fixture = useEmulator({ reorgs: true }, { each: true });
  const stage = () => reorgStage(fixture);
  const { fillMined, holds, paidOut, reverted, signedRefundOf } = fastFillStage(fixture);

  it("after the refund of the user's deposit: the key owes the advance until a reorg removes the refund", async () => {
    const { quote, recipient, wallet } = await reverted([{ payer: 0, value: ether }]);
    await reached(fixture.emulator, idOf(quote), "refund");
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    await stage().lose(fixture.beta, 1, true);
    await fillMined(quote);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await outstandingOf(fixture, wallet)).to.be.above(0);
    await stage().lose(fixture.alpha);
    await reached(fixture.emulator, idOf(quote), "success");
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
    await stage().expectNoGap(fixture.alpha);
  });

  it("after the refund of the user's deposit, and a reorg removes the fill for good: the key owes nothing", async () => {
    const { quote, recipient, wallet } = await reverted([{ payer: 0, value: ether }]);
    await reached(fixture.emulator, idOf(quote), "refund");
    await stage().lose(fixture.beta, 1, true);
    await fillMined(quote);
    await stage().lose(fixture.beta);
    await holds(quote, "the cancel", ({ transactions }) =>
      transactions.some(({ kind, state }) => kind === "cancel" && state === "mined"),
    );
    expect(await paidOut(recipient)).to.equal(0n);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("refund");
  });

  it("after the refund of a stranger's part: the whole advance is outstanding", async () => {
    const { quote, recipient, wallet } = await reverted([{ payer: 3, value: ether / 2n }]);
    await holds(quote, "the refund of the part", ({ children }) => children[0]?.status === "refund");
    await stage().lose(fixture.beta, 1, true);
    await reached(fixture.emulator, idOf(quote), "success");
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await outstandingOf(fixture, wallet)).to.be.above(2_450);
    expect(await earnedOf(fixture, wallet)).to.equal(0);
    await deposit(fixture, orderIdOf(quote));
    await holds(quote, "the payment", ({ deposits }) => deposits.some(({ outcome }) => outcome === "netted"));
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
  });

  it("before the refund of a stranger's part is mined: the refund is cancelled, and the part counts", async () => {
    const { alpha, beta, emulator } = fixture;
    const part = { payer: 3, value: ether / 2n };
    const { quote, recipient, refundTo, wallet } = await reverted([part], () => automine(alpha, false));
    const child = await signedRefundOf(quote);
    await stage().lose(beta, 1, true);
    await reached(emulator, idOf(quote), "success");
    const { details, transactions } = await reached(emulator, child, "failure");
    expect(transactions.map(({ kind }) => kind)).to.deep.equal(["cancel"]);
    expect(details).to.equal("The payment counts toward the fast fill, which was paid after all");
    await automine(alpha, true);
    await mine(alpha);
    await expectHalfPaid({ quote, recipient, refundTo, wallet });
    await stage().expectNoGap(alpha);
  });

  it("a reorg removes the refund of a stranger's part: the refund is cancelled, and the part counts", async () => {
    const { alpha, beta, emulator } = fixture;
    const { quote, recipient, refundTo, wallet } = await reverted([{ payer: 3, value: ether / 2n }]);
    const child = await signedRefundOf(quote);
    await reached(emulator, child, "refund");
    await stage().lose(beta, 1, true);
    await reached(emulator, idOf(quote), "success");
    expect(await outstandingOf(fixture, wallet)).to.be.above(2_450);
    await stage().lose(alpha);
    await reached(emulator, child, "failure");
    await expectHalfPaid({ quote, recipient, refundTo, wallet });
    await stage().expectNoGap(alpha);
  });

  it("a stranger's part and the user's later whole deposit, both not refunded yet: only the latter counts", async () => {
    const { beta, emulator } = fixture;
    const { clock, faults } = emulator.control;
    await clock.freeze();
    await faults.add({ count: 2, delayMs: 60_000, kind: "transient-failure" });
    const { quote, recipient, wallet } = await reverted([{ payer: 3, value: ether / 2n }]);
    const { children } = await holds(
      quote,
      "a child",
      ({ children: [child] }) => child?.status === "failure",
    );
    await deposit(fixture, orderIdOf(quote));
    await reached(emulator, idOf(quote), "failure");
    await stage().lose(beta, 1, true);
    await reached(emulator, idOf(quote), "success");
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    await clock.advance(60_000);
    await reached(emulator, children[0]?.requestId as Hex, "refund");
    const { transactions } = await historyOf(emulator, idOf(quote));
    expect(transactions.filter(({ kind }) => kind === "refund")).to.deep.equal([]);
  });

  /** Half of the advance is paid back, and the user pays the rest. */
  async function expectHalfPaid({ quote, recipient, refundTo, wallet }: FastFilled) {
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await fixture.alpha.balanceOf(zeroAddress, refundTo)).to.equal(0n);
    expect(await outstandingOf(fixture, wallet)).to.be.within(1_200, 1_300);
    await deposit(fixture, orderIdOf(quote), ether / 2n);
    await until(
      async () => ((await outstandingOf(fixture, wallet)) === 0 ? true : undefined),
      "the rest to be paid",
    );
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
  }
});
