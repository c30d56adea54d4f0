import { expect } from "chai";
import { type Hex, zeroAddress } from "viem";
import { type FastFilled, fastFillStage } from "../../helpers/appFees/fastFillStage.ts";
import { earnedOf, outstandingOf } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askNode, automine, mine, setCode } from "../../helpers/localChain.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { deposit, ether, idOf, orderIdOf, reverting } from "../../helpers/requests/failureStage.ts";
import { mineInstead, signedBytes } from "../../helpers/requests/mineInstead.ts";
import { outputOf, reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

forEachStore(
  "a refund that is mined despite its cancel, after its deposit counted toward a fast fill",
  (kind) => {
    const fixture = useEmulator({ reorgs: true }, { database: kind.newUrl, each: true });
    const stage = () => reorgStage(fixture);
    const { holds, paidOut, reverted, signedRefundOf } = fastFillStage(fixture);
    const refundedTo = (account: Hex) => fixture.alpha.balanceOf(zeroAddress, account);

    /** The sent transaction of a request that has this kind and state. */
    const hashOf = (requestId: Hex, wanted: string, state = "signed") =>
      until(async () => {
        const { transactions } = await historyOf(fixture.emulator, requestId);
        return transactions.find((each) => each.kind === wanted && each.state === state)?.hash;
      }, `a ${wanted} of ${requestId}`);

    /** A stranger's half counts again, because the fill was mined after all. Its refund, these bytes, is cancelled. */
    async function recalled() {
      const { alpha, beta, emulator } = fixture;
      const part = { payer: 3, value: ether / 2n };
      const stopped = await reverted([part], () => automine(alpha, false));
      const child = await signedRefundOf(stopped.quote);
      const raw = await signedBytes(alpha, await hashOf(child, "refund"));
      await stage().lose(beta, 1, true);
      await reached(emulator, idOf(stopped.quote), "success");
      return { ...stopped, cancel: await hashOf(child, "cancel"), child, raw };
    }

    /** The user's deposit counts, because the fill was mined after all. Its refund, these bytes, is cancelled. */
    async function counted(value: bigint) {
      const { alpha, beta, emulator } = fixture;
      const stopped = await reverted([{ payer: 0, value }], () => automine(alpha, false));
      const requestId = idOf(stopped.quote);
      const raw = await signedBytes(alpha, await hashOf(requestId, "refund"));
      await stage().lose(beta, 1, true);
      await reached(emulator, requestId, "success");
      return { ...stopped, cancel: await hashOf(requestId, "cancel"), raw };
    }

    /** Nothing is paid back: the user's whole payment is due. */
    async function expectNothingPaidBack({ quote, recipient, wallet }: FastFilled): Promise<void> {
      expect(await paidOut(recipient)).to.equal(outputOf(quote));
      expect(await outstandingOf(fixture, wallet)).to.be.above(2_450);
      expect(await earnedOf(fixture, wallet)).to.equal(0);
    }

    async function expectPaidBackBy(value: bigint, { quote, wallet }: FastFilled): Promise<void> {
      await deposit(fixture, orderIdOf(quote), value);
      const isPaid = async () => ((await outstandingOf(fixture, wallet)) === 0 ? true : undefined);
      await until(isPaid, "the rest to be paid");
      expect(await earnedOf(fixture, wallet)).to.be.above(0);
    }

    it("a stranger's part: is refunded by its child request, and the whole advance is owed again", async () => {
      const stopped = await recalled();
      const { cancel, child, quote, raw } = stopped;
      expect(await outstandingOf(fixture, stopped.wallet)).to.be.within(1_200, 1_300);
      await mineInstead(fixture.alpha, cancel, [raw]);
      const { deposits } = await reached(fixture.emulator, child, "refund");
      expect(deposits.map(({ outcome }) => outcome)).to.deep.equal(["refused"]);
      await expectNothingPaidBack(stopped);
      expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("success");
      await expectPaidBackBy(ether, stopped);
      await stage().expectNoGap(fixture.alpha);
    });

    it("a stranger's part whose refund another reorg removes: counts again", async () => {
      const stopped = await recalled();
      const { cancel, child, raw } = stopped;
      await mineInstead(fixture.alpha, cancel, [raw]);
      await reached(fixture.emulator, child, "refund");
      await stage().lose(fixture.alpha);
      await reached(fixture.emulator, child, "failure");
      expect(await outstandingOf(fixture, stopped.wallet)).to.be.within(1_200, 1_300);
      await expectPaidBackBy(ether / 2n, stopped);
      await stage().expectNoGap(fixture.alpha);
    });

    it("a stranger's part, while the fill is sent again after a reorg: the fill is not cancelled", async () => {
      const stopped = await recalled();
      const { cancel, child, quote, raw } = stopped;
      await automine(fixture.beta, false);
      await stage().lose(fixture.beta);
      await reached(fixture.emulator, idOf(quote), "submitted");
      await mineInstead(fixture.alpha, cancel, [raw]);
      await reached(fixture.emulator, child, "refund");
      await automine(fixture.beta, true);
      await mine(fixture.beta);
      await reached(fixture.emulator, idOf(quote), "success");
      await expectNothingPaidBack(stopped);
      await expectPaidBackBy(ether, stopped);
      await stage().expectNoGap(fixture.alpha);
      await stage().expectNoGap(fixture.beta);
    });

    it("a stranger's part that a second request is to refund, because the fill reverted again: the second request fails, and the part is refunded once", async () => {
      const { alpha, beta, emulator } = fixture;
      const { cancel, child, quote, raw, recipient, refundTo, wallet } = await recalled();
      const fill = await signedBytes(beta, await hashOf(idOf(quote), "fill", "mined"));
      await automine(beta, false);
      await stage().lose(beta);
      await reached(emulator, idOf(quote), "submitted");
      await setCode(beta, recipient, reverting);
      // The solver holds the fill back until the refund's cancel is settled; a node may have it.
      await askNode(beta, "eth_sendRawTransaction", fill);
      await automine(beta, true);
      await mine(beta);
      const { children } = await holds(quote, "a second child", (history) => history.children.length === 2);
      const second = children.find(({ requestId }) => requestId !== child)?.requestId ?? "0x";
      await mineInstead(alpha, cancel, [raw]);
      const first = await reached(emulator, child, "refund");
      const { details, transactions } = await reached(emulator, second, "failure");
      expect(details).to.equal(`The payment was refunded by request ${child}`);
      const refunds = [...first.transactions, ...transactions].filter(({ kind }) => kind === "refund");
      expect(refunds.map(({ state }) => state)).to.deep.equal(["mined"]);
      expect(first.deposits.map(({ outcome }) => outcome)).to.deep.equal(["refused"]);
      expect(await paidOut(recipient)).to.equal(0n);
      expect(await outstandingOf(fixture, wallet)).to.equal(0);
      const once = await refundedTo(refundTo);
      expect(once).to.be.within(ether / 2n - ether / 100n, ether / 2n);
      await stage().lose(alpha);
      await until(async () => {
        const { events, status } = await historyOf(emulator, child);
        return status === "refund" && events.filter((each) => each.status === "refund").length === 2
          ? true
          : undefined;
      }, "the refund to be sent again");
      expect(await refundedTo(refundTo)).to.equal(once);
      expect((await historyOf(emulator, second)).status).to.equal("failure");
      await stage().expectNoGap(alpha);
    });

    it("a part of the user that the request itself refunds: the whole advance is owed again", async () => {
      const stopped = await counted(ether / 2n);
      const { cancel, quote, raw } = stopped;
      await mineInstead(fixture.alpha, cancel, [raw]);
      await hashOf(idOf(quote), "refund", "mined");
      await expectNothingPaidBack(stopped);
      await expectPaidBackBy(ether, stopped);
    });

    it("the user's deposit whose refund another reorg removes: counts again, and app fees are earned", async () => {
      const { alpha } = fixture;
      const stopped = await counted(ether);
      const { cancel, quote, raw, refundTo, wallet } = stopped;
      expect(await outstandingOf(fixture, wallet)).to.equal(0);
      await mineInstead(alpha, cancel, [raw]);
      await hashOf(idOf(quote), "refund", "mined");
      await expectNothingPaidBack(stopped);
      await stage().lose(alpha);
      await hashOf(idOf(quote), "cancel", "mined");
      expect(await outstandingOf(fixture, wallet)).to.equal(0);
      expect(await earnedOf(fixture, wallet)).to.be.above(0);
      expect(await refundedTo(refundTo)).to.equal(0n);
    });
  },
);

describe("a deposit above the advance, refunded because the fast fill reverted", () => {
  const fixture = useEmulator({ reorgs: true }, { each: true });
  const stage = () => reorgStage(fixture);
  const { fillMined, holds, paidOut, reverted } = fastFillStage(fixture);
  const refundedTo = (account: Hex) => fixture.alpha.balanceOf(zeroAddress, account);
  /** A refund less its gas. */
  const isAbout = (value: bigint) => [value - ether / 100n, value] as const;

  /** The fast fill reverted, and a deposit of twice the advance came after it. Its refund is signed and not mined. */
  async function refundUnderWay() {
    const { alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    const countOf = (blockTag: "latest" | "pending") =>
      alpha.reader.getTransactionCount({ address: user, blockTag });
    const stopped = await reverted([]);
    await reached(fixture.emulator, idOf(stopped.quote), "waiting");
    await automine(alpha, false);
    const paying = deposit(fixture, orderIdOf(stopped.quote), 2n * ether);
    const isSent = async () => ((await countOf("pending")) > (await countOf("latest")) ? true : undefined);
    await until(isSent, "the deposit to be sent");
    await mine(alpha);
    await paying;
    const { transactions } = await holds(stopped.quote, "the refund", (history) =>
      history.transactions.some(({ kind }) => kind === "refund"),
    );
    return { ...stopped, refund: transactions.find(({ kind }) => kind === "refund")?.hash ?? "0x" };
  }
  async function goOn(): Promise<void> {
    await automine(fixture.alpha, true);
    await mine(fixture.alpha);
  }

  it("the fill pays before the refund is mined: the deposit pays the advance back, and its excess is refunded", async () => {
    const { alpha, beta, emulator } = fixture;
    const { quote, recipient, refundTo, wallet } = await refundUnderWay();
    await stage().lose(beta, 1, true);
    await reached(emulator, idOf(quote), "success");
    await goOn();
    await holds(quote, "the refund of the excess", ({ children: [child] }) => child?.status === "refund");
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await refundedTo(refundTo)).to.be.within(...isAbout(ether));
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
    await stage().expectNoGap(alpha);
  });

  it("the fill pays, and the refund is mined despite its cancel: the excess is not refunded again", async () => {
    const { alpha, beta, emulator } = fixture;
    const { quote, recipient, refund, refundTo, wallet } = await refundUnderWay();
    const requestId = idOf(quote);
    const raw = await signedBytes(alpha, refund);
    await stage().lose(beta, 1, true);
    const { transactions } = await reached(emulator, requestId, "success");
    await mineInstead(alpha, transactions.find(({ kind }) => kind === "cancel")?.hash, [raw]);
    await holds(quote, "the end of the child", ({ children: [child] }) => child?.status === "failure");
    const { deposits } = await historyOf(emulator, requestId);
    expect(deposits.map(({ amount, outcome }) => [amount, outcome])).to.deep.equal([
      [(2n * ether).toString(), "refused"],
    ]);
    expect(await outstandingOf(fixture, wallet)).to.be.above(2_450);
    await deposit(fixture, orderIdOf(quote));
    const isPaid = async () => ((await outstandingOf(fixture, wallet)) === 0 ? true : undefined);
    await until(isPaid, "the advance to be paid back");
    await stage().expectNoGap(alpha);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await refundedTo(refundTo)).to.be.within(...isAbout(2n * ether));
  });

  it("another payment pays the advance back, and a reorg removes the refund: it is sent again", async () => {
    const { alpha, beta, emulator } = fixture;
    const { quote, recipient, refundTo, wallet } = await refundUnderWay();
    await goOn();
    await reached(emulator, idOf(quote), "refund");
    await stage().lose(beta, 1, true);
    await fillMined(quote);
    const hash = await deposit(fixture, orderIdOf(quote));
    const isPaid = async () => ((await outstandingOf(fixture, wallet)) === 0 ? true : undefined);
    await until(isPaid, "the advance to be paid back");
    const payment = await signedBytes(alpha, hash);
    await automine(alpha, false);
    await stage().lose(alpha, 2);
    await askNode(alpha, "eth_sendRawTransaction", payment);
    await goOn();
    await holds(
      quote,
      "the refund and the payment",
      ({ deposits, status }) => status === "refund" && deposits.some(({ outcome }) => outcome === "netted"),
    );
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await refundedTo(refundTo)).to.be.within(...isAbout(2n * ether));
    await stage().expectNoGap(alpha);
  });
});
