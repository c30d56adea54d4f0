import { expect } from "chai";
import { type Address, encodeFunctionData, zeroAddress } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { earnedOf, fillFast, keyedQuote, outstandingOf } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, setCode, withoutAutomine } from "../../helpers/localChain.ts";
import {
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  reverting,
  senderOf,
} from "../../helpers/requests/failureStage.ts";
import { outputOf, reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

type Stage = Awaited<ReturnType<typeof keyedQuote>>;

describe("parts of an advance", () => {
  const fixture = useEmulator({ reorgs: true });
  const user = () => fixture.alpha.wallet(0).account.address;
  const stage = () => reorgStage(fixture);
  const paidBack = (account: Address) => fixture.alpha.balanceOf(zeroAddress, account);

  async function quoted() {
    const [recipient, refundTo, wallet] = [fresh(), fresh(), fresh()];
    const appFees = [{ fee: "1", recipient: wallet }];
    return {
      quote: await keyedQuote(fixture, { appFees, recipient, refundTo }),
      recipient,
      refundTo,
      wallet,
    };
  }
  async function filledFast() {
    const stage = await quoted();
    await fillFast(fixture, stage.quote);
    await reached(fixture.emulator, idOf(stage.quote), "success");
    return stage;
  }
  /** Pays for the user from the attacker's account: anyone may name the user as the depositor. */
  const payAsUser = (quote: Stage, value: bigint) =>
    deposit(fixture, orderIdOf(quote), value, { depositor: user(), payer: 3 });
  const holds = (quote: Stage, what: string, isSo: (history: RequestHistory) => boolean) =>
    until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      return isSo(history) ? history : undefined;
    }, what);
  const deposited = (quote: Stage, count: number) =>
    holds(quote, `${count} deposits`, ({ deposits }) => deposits.length === count);
  const childIs = (quote: Stage, status: string) =>
    holds(quote, `a child in ${status}`, ({ children }) => children.at(-1)?.status === status);
  const outcomes = ({ deposits }: RequestHistory) => deposits.map(({ outcome }) => outcome);

  it("a stranger's wei in the user's name, then the rest from the user: the debt is paid, nothing is refunded", async () => {
    const { quote, refundTo, wallet } = await filledFast();
    await payAsUser(quote, 1n);
    await deposited(quote, 1);
    expect(await outstandingOf(fixture, wallet)).to.be.above(0);
    expect(await earnedOf(fixture, wallet)).to.equal(0);
    await deposit(fixture, orderIdOf(quote), ether - 1n);
    const history = await deposited(quote, 2);
    expect([outcomes(history), history.children]).to.deep.equal([["netted", "netted"], []]);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
    expect(await paidBack(refundTo)).to.equal(0n);
  });

  it("a stranger's half in the user's name, then the user's whole deposit: only the excess is refunded", async () => {
    const { quote, refundTo, wallet } = await filledFast();
    await payAsUser(quote, ether / 2n);
    await deposited(quote, 1);
    await deposit(fixture, orderIdOf(quote));
    const history = await childIs(quote, "refund");
    expect(history.deposits.map(({ amount }) => BigInt(amount))).to.deep.equal([ether / 2n, ether / 2n]);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    const refund = await paidBack(refundTo);
    expect(refund < ether / 2n && refund > (ether * 49n) / 100n).to.equal(true);
  });

  it("a deposit above the advance: the excess is refunded, and the fees are those of the advance", async () => {
    const { quote, refundTo, wallet } = await filledFast();
    await deposit(fixture, orderIdOf(quote), 2n * ether);
    await childIs(quote, "refund");
    const refund = await paidBack(refundTo);
    expect(refund < ether && refund > (ether * 99n) / 100n).to.equal(true);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    const plain = await filledFast();
    await deposit(fixture, orderIdOf(plain.quote));
    await deposited(plain.quote, 1);
    expect(await earnedOf(fixture, wallet)).to.equal(await earnedOf(fixture, plain.wallet));
  });

  it("three parts: the third completes the advance, and a fourth payment is refunded whole", async () => {
    const { quote, wallet } = await filledFast();
    for (const value of [ether / 4n, ether / 4n, ether / 2n]) await deposit(fixture, orderIdOf(quote), value);
    await deposited(quote, 3);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    await deposit(fixture, orderIdOf(quote), ether / 4n);
    const { children, deposits } = await childIs(quote, "refund");
    expect(children.map(({ failReason }) => failReason)).to.deep.equal(["DOUBLE_SPEND"]);
    expect(deposits).to.have.length(3);
  });

  it("a stranger's wei while the fill is not sent: the fill is made, and the user's deposit counts", async () => {
    const { quote, recipient, wallet } = await quoted();
    await fixture.emulator.control.faults.add({ delayMs: 60_000, kind: "fill-slow", requestId: idOf(quote) });
    await fillFast(fixture, quote);
    await payAsUser(quote, 1n);
    expect((await deposited(quote, 1)).status).to.equal("pending");
    await fixture.emulator.control.clock.advance(61_000);
    await reached(fixture.emulator, idOf(quote), "success");
    await deposit(fixture, orderIdOf(quote), ether - 1n);
    await deposited(quote, 2);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await fixture.beta.balanceOf(zeroAddress, recipient)).to.equal(outputOf(quote));
  });

  it("a fill that reverts after a stranger's wei and the user's deposit: the request refunds the user", async () => {
    const { quote, recipient, refundTo, wallet } = await quoted();
    await withoutAutomine(fixture.beta, async () => {
      await fillFast(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "submitted");
      await payAsUser(quote, 1n);
      await deposited(quote, 1);
      await deposit(fixture, orderIdOf(quote), ether - 1n);
      await deposited(quote, 2);
      await setCode(fixture.beta, recipient, reverting);
      await mine(fixture.beta);
    });
    const history = await reached(fixture.emulator, idOf(quote), "refund");
    expect((await paidBack(refundTo)) > (ether * 99n) / 100n).to.equal(true);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(outcomes(history)).to.deep.equal(["refused"]);
    // A wei does not pay for its refund's gas.
    const { children } = await childIs(quote, "failure");
    expect(children).to.have.length(1);
  });

  it("a fill that reverts after a stranger's wei: the request waits, and refunds the user's later deposit", async () => {
    const { quote, recipient, refundTo } = await quoted();
    await withoutAutomine(fixture.beta, async () => {
      await fillFast(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "submitted");
      await payAsUser(quote, 1n);
      await deposited(quote, 1);
      await setCode(fixture.beta, recipient, reverting);
      await mine(fixture.beta);
    });
    await stage().followed(quote, "fast-fill-released", "waiting");
    await payAsUser(quote, 1n);
    await holds(quote, "two children", ({ children }) => children.length === 2);
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "refund");
    expect((await paidBack(refundTo)) > (ether * 99n) / 100n).to.equal(true);
  });

  it("a reorg removes the covering deposit, which is mined again: the debt reopens, and is covered once", async () => {
    const { quote, wallet } = await quoted();
    const pay = await senderOf(fixture, quote);
    await fillFast(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    const owed = await outstandingOf(fixture, wallet);
    for (let round = 0; round < 2; round++) {
      await pay();
      await holds(quote, "the deposit", (history) => outcomes(history).includes("netted"));
      expect(await outstandingOf(fixture, wallet)).to.equal(0);
      const earned = await earnedOf(fixture, wallet);
      expect(earned).to.be.above(0);
      await stage().lose(fixture.alpha);
      const history = await holds(quote, "the loss", (each) => outcomes(each).includes("vanished"));
      expect([history.status, history.children]).to.deep.equal(["success", []]);
      expect(await outstandingOf(fixture, wallet)).to.equal(owed);
      expect(await earnedOf(fixture, wallet)).to.equal(0);
    }
    await payAsUser(quote, ether);
    const history = await deposited(quote, 2);
    expect(history.transactions).to.have.length(1);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    await pay();
    await childIs(quote, "refund");
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
  });

  it("a reorg moves a deposit with an excess to another block: the excess is refunded once", async () => {
    const { quote, refundTo, wallet } = await filledFast();
    await deposit(fixture, orderIdOf(quote), 2n * ether);
    const before = await childIs(quote, "refund");
    const refund = await paidBack(refundTo);
    await stage().lose(fixture.alpha, 2, true);
    await mine(fixture.alpha);
    await deposit(fixture, orderIdOf((await filledFast()).quote));
    const after = await childIs(quote, "refund");
    expect(after.children).to.deep.equal(before.children);
    expect(after.deposits.map(({ amount, outcome }) => [amount, outcome])).to.deep.equal([
      [ether.toString(), "netted"],
    ]);
    expect(await paidBack(refundTo)).to.equal(refund);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
  });

  it("a reorg removes a deposit and the refund of its excess, and the deposit is mined again: its child refunds it once", async () => {
    const { quote, refundTo, wallet } = await filledFast();
    const payer = fixture.alpha.wallet(4);
    const data = encodeFunctionData({
      abi: relayDepositoryAbi,
      args: [user(), orderIdOf(quote)],
      functionName: "depositNative",
    });
    const to = fixture.alpha.info.contracts.depository;
    const prepared = await payer.prepareTransactionRequest({
      data,
      gas: 500_000n,
      to,
      value: (ether * 3n) / 2n,
    });
    const serializedTransaction = await payer.signTransaction(prepared);
    const pay = () => payer.sendRawTransaction({ serializedTransaction });
    await pay();
    const before = await childIs(quote, "refund");
    const refund = await paidBack(refundTo);
    await stage().lose(fixture.alpha, 2);
    await childIs(quote, "failure");
    expect(await paidBack(refundTo)).to.equal(0n);
    expect(await outstandingOf(fixture, wallet)).to.be.above(0);
    await pay();
    const after = await childIs(quote, "refund");
    expect(after.children).to.deep.equal(before.children);
    expect(outcomes(after)).to.deep.equal(["netted"]);
    expect((await paidBack(refundTo)) / 10n ** 15n).to.equal(refund / 10n ** 15n);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    await stage().expectNoGap(fixture.alpha);
  });
});
