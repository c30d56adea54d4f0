import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import type { RequestRecord } from "../../../src/schema/record/requestV3.ts";
import { earnedOf, fillFast, keyedQuote, outstandingOf } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, setCode, withoutAutomine } from "../../helpers/localChain.ts";
import { deposit, ether, fresh, idOf, orderIdOf, reverting } from "../../helpers/requests/failureStage.ts";
import { outputOf, reorgStage, triggers } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

type Stage = Awaited<ReturnType<typeof keyedQuote>>;

describe("a fast fill", () => {
  const fixture = useEmulator({ reorgs: true });

  /** A request that shows its advance in a wallet of its own. */
  async function quoted(recipient: Address = fresh()) {
    const wallet = fresh();
    const appFees = [{ fee: "1", recipient: wallet }];
    return { quote: await keyedQuote(fixture, { appFees, recipient }), recipient, wallet };
  }
  async function filledFast() {
    const stage = await quoted();
    await fillFast(fixture, stage.quote);
    await reached(fixture.emulator, idOf(stage.quote), "success");
    return stage;
  }
  async function recordOf(quote: Stage): Promise<RequestRecord | undefined> {
    const headers = { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" };
    const url = `${fixture.emulator.info.apiUrl}/requests/v3?id=${idOf(quote)}&features=fast_fill`;
    const page = (await (await fetch(url, { headers })).json()) as { requests: RequestRecord[] };
    return page.requests[0];
  }
  const paidOut = (recipient: Address) => fixture.beta.balanceOf(zeroAddress, recipient);

  /** Waits until the request has a deposit. */
  function deposited(quote: Stage): Promise<RequestHistory> {
    return until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      return history.deposits.length > 0 ? history : undefined;
    }, "the deposit");
  }
  /** Waits until a payment that the request had no use for is refunded. */
  function refundedChild(quote: Stage): Promise<RequestHistory> {
    return until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      return history.children[0]?.status === "refund" ? history : undefined;
    }, "the refund of the child");
  }

  /** Acts while the fast fill is sent and not mined, and mines it after `change`. */
  async function duringFill(quote: Stage, change: () => Promise<unknown>): Promise<void> {
    await withoutAutomine(fixture.beta, async () => {
      await fillFast(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "submitted");
      await change();
      await mine(fixture.beta);
    });
  }

  // @spec endpoints/fast-fill record-v3/fast-fill record-v3/other-features
  it("pays the recipient before the deposit, which covers it without a second fill", async () => {
    const { quote, recipient, wallet } = await quoted();
    expect(await fillFast(fixture, quote)).to.equal("Request successfully queued for fast fill.");
    const before = await reached(fixture.emulator, idOf(quote), "success");
    expect(triggers(before)).to.deep.equal(["quoted", "fast-fill-begun", "fill-submitted", "fill-succeeded"]);
    expect(before.deposits).to.deep.equal([]);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await outstandingOf(fixture, wallet)).to.be.above(0);
    expect(await earnedOf(fixture, wallet)).to.equal(0);
    const hash = await deposit(fixture, orderIdOf(quote));
    const history = await deposited(quote);
    expect(history.deposits.map(({ outcome, txHash }) => [outcome, txHash])).to.deep.equal([
      ["netted", hash],
    ]);
    expect(history.events).to.deep.equal(before.events);
    expect(history.transactions).to.have.length(1);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await earnedOf(fixture, wallet)).to.be.above(0);
    const record = await recordOf(quote);
    expect(record?.data?.triggeredByFastFill).to.equal(true);
    expect(record?.features).to.include("fast_fill");
    expect(record?.data?.inTxs?.map(({ txHash }) => txHash)).to.deep.equal([hash]);
  });

  it("a deposit one wei below the advance: is refunded by a request of its own, and the advance stays outstanding", async () => {
    const { quote, wallet } = await filledFast();
    const owed = await outstandingOf(fixture, wallet);
    await deposit(fixture, orderIdOf(quote), ether - 1n);
    const { children, deposits, status, transactions } = await refundedChild(quote);
    expect(children.map(({ failReason }) => failReason)).to.deep.equal(["DOUBLE_SPEND"]);
    expect([status, deposits.length, transactions.length]).to.deep.equal(["success", 0, 1]);
    expect(await outstandingOf(fixture, wallet)).to.equal(owed);
  });

  it("a second whole deposit: is refunded by a request of its own", async () => {
    const { quote } = await filledFast();
    await deposit(fixture, orderIdOf(quote));
    await deposit(fixture, orderIdOf(quote));
    const { children, transactions } = await refundedChild(quote);
    expect(children.map(({ failReason }) => failReason)).to.deep.equal(["DOUBLE_SPEND"]);
    expect(transactions).to.have.length(1);
  });

  it("another payer's whole deposit: is refunded, and the advance stays outstanding", async () => {
    const { quote, wallet } = await filledFast();
    const owed = await outstandingOf(fixture, wallet);
    await deposit(fixture, orderIdOf(quote), ether, { payer: 3 });
    await refundedChild(quote);
    expect(await outstandingOf(fixture, wallet)).to.equal(owed);
  });

  it("the deposit is found while the fast fill is sent: it pays for that fill", async () => {
    const { quote, recipient, wallet } = await quoted();
    await duringFill(quote, async () => {
      await deposit(fixture, orderIdOf(quote));
      await deposited(quote);
    });
    const history = await reached(fixture.emulator, idOf(quote), "success");
    expect(history.transactions.map(({ kind, state }) => [kind, state])).to.deep.equal([["fill", "mined"]]);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
  });

  it("a fill that reverts after the deposit was found: the deposit is refunded", async () => {
    const { quote, recipient, wallet } = await quoted();
    await duringFill(quote, async () => {
      await deposit(fixture, orderIdOf(quote));
      await deposited(quote);
      await setCode(fixture.beta, recipient, reverting);
    });
    const history = await reached(fixture.emulator, idOf(quote), "refund", "success");
    expect([history.status, history.failReason]).to.deep.equal(["refund", "TRANSACTION_REVERTED"]);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
  });

  it("a fill that reverts: the advance is released, and the later deposit is refunded", async () => {
    const { quote, recipient, wallet } = await quoted();
    await duringFill(quote, () => setCode(fixture.beta, recipient, reverting));
    await reached(fixture.emulator, idOf(quote), "waiting");
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    await setCode(fixture.beta, recipient, "0x");
    await deposit(fixture, orderIdOf(quote));
    const history = await reached(fixture.emulator, idOf(quote), "refund", "success");
    expect([history.status, history.failReason]).to.deep.equal(["refund", "TRANSACTION_REVERTED"]);
    expect(await paidOut(recipient)).to.equal(0n);
  });

  it("a fill that cannot be sent: the advance is released, and the later deposit is filled", async () => {
    const { quote, recipient, wallet } = await quoted();
    await setCode(fixture.beta, recipient, reverting);
    await fillFast(fixture, quote);
    await reorgStage(fixture).followed(quote, "fast-fill-released", "waiting");
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
    expect(await recordOf(quote)).to.equal(undefined);
    await setCode(fixture.beta, recipient, "0x");
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
  });

  it("a reorg removes the fill before the deposit: the same bytes are sent again, and pay once", async () => {
    const { quote, recipient } = await filledFast();
    await reorgStage(fixture).lose(fixture.beta);
    await reorgStage(fixture).followed(quote, "fill-reorged", "success");
    await deposit(fixture, orderIdOf(quote));
    await deposited(quote);
    await reorgStage(fixture).expectNoGap(fixture.beta);
    expect(await paidOut(recipient)).to.equal(outputOf(quote));
    expect((await historyOf(fixture.emulator, idOf(quote))).transactions).to.have.length(1);
  });

  it("a reorg removes a reverted fill: it is cancelled, and the user's later deposit is refunded", async () => {
    const { quote, recipient, wallet } = await quoted();
    await duringFill(quote, () => setCode(fixture.beta, recipient, reverting));
    await reached(fixture.emulator, idOf(quote), "waiting");
    await reorgStage(fixture).lose(fixture.beta);
    await setCode(fixture.beta, recipient, "0x");
    await until(async () => {
      const { transactions } = await historyOf(fixture.emulator, idOf(quote));
      return transactions.some(({ kind, state }) => kind === "cancel" && state === "mined")
        ? true
        : undefined;
    }, "the cancel");
    await reorgStage(fixture).expectNoGap(fixture.beta);
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "refund", "success");
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("refund");
    expect(await paidOut(recipient)).to.equal(0n);
    expect(await outstandingOf(fixture, wallet)).to.equal(0);
  });
});
