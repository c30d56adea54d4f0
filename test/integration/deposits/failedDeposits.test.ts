import { expect } from "chai";
import { zeroAddress, zeroHash } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  refunded,
  replay,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, requestsOf, until } from "../../helpers/requests/requestHistory.ts";

describe("what goes wrong with a deposit or its refund", () => {
  const fixture = useEmulator();

  it("refunds one wei less, and a deposit on another chain to its depositor", async () => {
    const low = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(low), ether - 1n);
    expect((await refunded(fixture, low)).failReason).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");

    const elsewhere = await quoteOf(fixture, { refundTo: fresh() });
    const before = await fixture.beta.balanceOf(zeroAddress, fixture.beta.wallet(0).account.address);
    await deposit(fixture, orderIdOf(elsewhere), ether, { chain: fixture.beta });
    expect((await refunded(fixture, elsewhere)).failReason).to.equal("DEPOSIT_CHAIN_MISMATCH");
    const lost = before - (await fixture.beta.balanceOf(zeroAddress, fixture.beta.wallet(0).account.address));
    expect(lost < ether / 100n).to.equal(true);
  });

  it("refunds another currency than was asked for, in that currency, to refundTo", async () => {
    const refundTo = fresh();
    const quote = await quoteOf(fixture, { refundTo });
    const token = fixture.alpha.currency("USDC");
    const transfer = erc20Data("transfer", fixture.emulator.info.solver, 5_000_000n);
    await fixture.alpha.wallet(0).sendTransaction({ data: `${transfer}${idOf(quote).slice(2)}`, to: token });
    expect((await refunded(fixture, quote)).failReason).to.equal("INCORRECT_DEPOSIT_CURRENCY");
    const back = await fixture.alpha.balanceOf(token, refundTo);
    expect(back > 4_000_000n && back < 5_000_000n).to.equal(true);
  });

  it("gives back what names no request, as a request of its own", async () => {
    const payer = fixture.alpha.wallet(7).account.address;
    for (const id of [zeroHash, `0x${"5a".repeat(32)}`] as const) {
      const before = await fixture.alpha.balanceOf(zeroAddress, payer);
      const hash = await deposit(fixture, id, ether, { payer: 7 });
      const orphan = await until(async () => {
        const [request] = await requestsOf(fixture.emulator, hash);
        return request?.status === "refund" ? request : undefined;
      }, "the orphan's refund");
      expect([orphan.failReason, orphan.parentId]).to.deep.equal(["ORPHANED_DEPOSIT_REFUND", null]);
      const lost = before - (await fixture.alpha.balanceOf(zeroAddress, payer));
      expect(lost < ether / 100n).to.equal(true);
    }
  });

  it("does not fill a deposit that names the requestId at the depository, and says which id belongs there", async () => {
    const quote = await quoteOf(fixture);
    const hash = await deposit(fixture, idOf(quote));
    const [child] = await until(async () => {
      const found = await requestsOf(fixture.emulator, hash);
      return found[0]?.status === "refund" ? found : undefined;
    }, "the refund of the wrongly tagged deposit");
    expect([child?.failReason, child?.parentId]).to.deep.equal(["ORPHANED_DEPOSIT_REFUND", idOf(quote)]);
    expect((await historyOf(fixture.emulator, child?.requestId ?? "0x")).details).to.equal(
      `the depository matches orderIds, and ${idOf(quote)} is a requestId: its orderId is ${orderIdOf(quote)}`,
    );
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");

    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
  });

  it("does not fill a payment of the solver that names the orderId, and says which id belongs there", async () => {
    const quote = await quoteOf(fixture);
    const hash = await fixture.alpha
      .wallet(0)
      .sendTransaction({ data: orderIdOf(quote), to: fixture.emulator.info.solver, value: ether });
    const [child] = await until(async () => {
      const found = await requestsOf(fixture.emulator, hash);
      return found[0]?.status === "refund" ? found : undefined;
    }, "the refund of the wrongly tagged payment");
    expect([child?.failReason, child?.parentId]).to.deep.equal(["ORPHANED_DEPOSIT_REFUND", idOf(quote)]);
    expect((await historyOf(fixture.emulator, child?.requestId ?? "0x")).details).to.equal(
      `the solver matches requestIds, and ${orderIdOf(quote)} is an orderId: its requestId is ${idOf(quote)}`,
    );
  });

  it("gives a stranger's deposit back as a child of the request, even one in the user's name, and is not spoilt", async () => {
    const quote = await quoteOf(fixture);
    const user = fixture.alpha.wallet(0).account.address;
    await deposit(fixture, orderIdOf(quote), ether, { payer: 3 });
    await deposit(fixture, orderIdOf(quote), ether / 2n, { depositor: user, payer: 3 });
    const { children, status } = await until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      const isOver =
        history.children.length === 2 && history.children.every((child) => child.status === "refund");
      return isOver ? history : undefined;
    }, "the children's refunds");
    expect(status).to.equal("waiting");
    expect(children.map(({ failReason, parentId }) => [failReason, parentId])).to.have.deep.members([
      ["INVALID_SENDER", idOf(quote)],
      ["DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", idOf(quote)],
    ]);
    const hash = await deposit(fixture, orderIdOf(quote));
    const history = await reached(fixture.emulator, idOf(quote), "success");
    expect(history.deposits.map(({ txHash }) => txHash)).to.deep.equal([hash]);
    expect(history.originBlock).to.be.a("number");
    expect(history.fillTimeMs).to.be.at.least(0);
    const second = await deposit(fixture, orderIdOf(quote));
    const [child] = await until(async () => {
      const found = await requestsOf(fixture.emulator, second);
      return found[0]?.status === "refund" ? found : undefined;
    }, "the second deposit's refund");
    expect([child?.failReason, child?.parentId]).to.deep.equal(["DOUBLE_SPEND", idOf(quote)]);
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("success");
  });

  it("fails when refundTo does not take its money, and says what was tried", async () => {
    const refundTo = fresh();
    const quote = await quoteOf(fixture, { refundTo });
    await setCode(fixture.alpha, refundTo, reverting);
    await deposit(fixture, orderIdOf(quote), ether - 1n);
    const history = await reached(fixture.emulator, idOf(quote), "failure");
    expect([history.failReason, history.deposits[0]?.outcome]).to.deep.equal([
      "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
      "abandoned",
    ]);
    expect(history.failedCallData?.to.toLowerCase()).to.equal(refundTo);
    expect(await replay(fixture.alpha, history)).to.equal(history.details);
  });

  it("shows the failure for a while where that is asked for, and refunds then", async () => {
    const quote = await quoteOf(fixture);
    await fixture.emulator.control.faults.add({
      delayMs: 50,
      kind: "transient-failure",
      requestId: idOf(quote),
    });
    await deposit(fixture, orderIdOf(quote), ether - 1n);
    const history = await reached(fixture.emulator, idOf(quote), "refund");
    expect(history.events.map(({ status }) => status)).to.deep.equal([
      "waiting",
      "pending",
      "failure",
      "pending",
      "refund",
    ]);
  });

  it("does not fill or accept after the time is over", async () => {
    const [short, late, long] = [
      await quoteOf(fixture, { ttl: 60 }),
      await quoteOf(fixture, { ttl: 60 }),
      await quoteOf(fixture),
    ];
    await fixture.emulator.control.faults.add({ delayMs: 120_000, kind: "fill-slow", requestId: idOf(late) });
    await deposit(fixture, orderIdOf(late));
    await reached(fixture.emulator, idOf(late), "pending");
    await fixture.emulator.control.clock.advance(121_000);
    expect((await refunded(fixture, late)).failReason).to.equal("PROTOCOL_DEADLINE_EXPIRED");
    await deposit(fixture, orderIdOf(short));
    expect((await refunded(fixture, short)).failReason).to.equal("TTL_EXPIRED");
    await fixture.emulator.control.clock.advance(7 * 24 * 60 * 60 * 1_000);
    await deposit(fixture, orderIdOf(long));
    expect((await refunded(fixture, long)).failReason).to.equal("ORDER_EXPIRED");
  });
});
