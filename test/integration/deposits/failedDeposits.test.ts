import { expect } from "chai";
import { type Address, type Hex, zeroAddress, zeroHash } from "viem";
import { getStatus } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { deploy, gained, setCode } from "../../helpers/localChain.ts";
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
import { outputOf } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, requestsOf, until } from "../../helpers/requests/requestHistory.ts";

describe("failed deposits and refunds", () => {
  const fixture = useEmulator();

  /** Waits until the request that a deposit opened is refunded. */
  const refundedChild = (hash: Hex) =>
    until(async () => {
      const [request] = await requestsOf(fixture.emulator, hash);
      return request?.status === "refund" ? request : undefined;
    }, "the refund of the deposit");
  /** Ether that an account lost by a deposit and its refund. */
  const lostBy = async (chain: TestChain, payer: number, act: () => Promise<unknown>) =>
    -(await gained(chain, zeroAddress, chain.wallet(payer).account.address, act));

  it("refunds a deposit that is one wei short, and a deposit on another chain to its depositor", async () => {
    const low = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(low), ether - 1n);
    expect((await refunded(fixture, low)).failReason).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");

    const elsewhere = await quoteOf(fixture, { refundTo: fresh() });
    const lost = await lostBy(fixture.beta, 0, async () => {
      await deposit(fixture, orderIdOf(elsewhere), ether, { chain: fixture.beta });
      expect((await refunded(fixture, elsewhere)).failReason).to.equal("DEPOSIT_CHAIN_MISMATCH");
    });
    expect(lost < ether / 100n).to.equal(true);
  });

  it("refunds a deposit in another currency in that currency, to refundTo", async () => {
    const refundTo = fresh();
    const quote = await quoteOf(fixture, { refundTo });
    const token = fixture.alpha.currency("USDC");
    const transfer = erc20Data("transfer", fixture.emulator.info.solver, 5_000_000n);
    await fixture.alpha.wallet(0).sendTransaction({ data: `${transfer}${idOf(quote).slice(2)}`, to: token });
    expect((await refunded(fixture, quote)).failReason).to.equal("INCORRECT_DEPOSIT_CURRENCY");
    const back = await fixture.alpha.balanceOf(token, refundTo);
    expect(back > 4_000_000n && back < 5_000_000n).to.equal(true);
  });

  it("refunds a deposit that names no request, as a request of its own", async () => {
    for (const id of [zeroHash, `0x${"5a".repeat(32)}`] as const) {
      const lost = await lostBy(fixture.alpha, 7, async () => {
        const orphan = await refundedChild(await deposit(fixture, id, ether, { payer: 7 }));
        expect([orphan.failReason, orphan.parentId]).to.deep.equal(["ORPHANED_DEPOSIT_REFUND", null]);
      });
      expect(lost < ether / 100n).to.equal(true);
    }
  });

  it("refunds a deposit with the requestId at the depository, and names the expected id", async () => {
    const quote = await quoteOf(fixture);
    const hash = await deposit(fixture, idOf(quote));
    const child = await refundedChild(hash);
    expect([child.failReason, child.parentId]).to.deep.equal(["ORPHANED_DEPOSIT_REFUND", idOf(quote)]);
    expect((await historyOf(fixture.emulator, child.requestId)).details).to.equal(
      `the depository matches orderIds, and ${idOf(quote)} is a requestId: its orderId is ${orderIdOf(quote)}`,
    );
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("waiting");

    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
  });

  it("refunds a payment of the solver with the orderId, and names the expected id", async () => {
    const quote = await quoteOf(fixture);
    const hash = await fixture.alpha
      .wallet(0)
      .sendTransaction({ data: orderIdOf(quote), to: fixture.emulator.info.solver, value: ether });
    const child = await refundedChild(hash);
    expect([child.failReason, child.parentId]).to.deep.equal(["ORPHANED_DEPOSIT_REFUND", idOf(quote)]);
    expect((await historyOf(fixture.emulator, child.requestId)).details).to.equal(
      `the solver matches requestIds, and ${orderIdOf(quote)} is an orderId: its requestId is ${idOf(quote)}`,
    );
  });

  it("refunds another payer's deposit as a child request, even in the user's name, and still fills the user's", async () => {
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
  });

  it("a request paid twice: fills it once, and refunds the second payment", async () => {
    const { beta, client, emulator } = fixture;
    const quote = await quoteOf(fixture);
    const { recipient } = quote.details as { recipient: Address };
    await deposit(fixture, orderIdOf(quote));
    await reached(emulator, idOf(quote), "success");
    const lost = await lostBy(fixture.alpha, 0, async () => {
      const child = await refundedChild(await deposit(fixture, orderIdOf(quote)));
      expect([child.failReason, child.parentId]).to.deep.equal(["DOUBLE_SPEND", idOf(quote)]);
    });
    expect(lost < ether / 100n).to.equal(true);
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(outputOf(quote));
    const { failReason, status } = await getStatus(client, { requestId: idOf(quote) });
    expect([status, failReason]).to.deep.equal(["success", "N/A"]);
  });

  it("delivers a surplus when the output varies", async () => {
    const quote = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(quote), 2n * ether);
    await reached(fixture.emulator, idOf(quote), "success");
    const received = await fixture.beta.balanceOf(zeroAddress, quote.details.recipient as Address);
    expect(received).to.equal(2n * outputOf(quote));
  });

  it("a deposit below its own refund's gas ends in failure", async () => {
    const quote = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(quote), 1n);
    const { failReason, refundFailReason } = await reached(fixture.emulator, idOf(quote), "failure");
    expect([failReason, refundFailReason]).to.deep.equal([
      ...["DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", "AMOUNT_TOO_LOW_TO_REFUND"],
    ]);
  });

  it("ignores a deposit event of another contract", async () => {
    const { alpha, emulator } = fixture;
    const [quote, later] = [await quoteOf(fixture), await quoteOf(fixture)];
    const owner = alpha.wallet(0).account.address;
    const depository = await deploy(alpha, "service/RelayDepository", [owner, owner]);
    const other = { ...alpha, info: { ...alpha.info, contracts: { ...alpha.info.contracts, depository } } };
    await deposit(fixture, orderIdOf(quote), ether, { chain: other });
    // A later, valid deposit is filled: the false one has been searched too.
    await deposit(fixture, orderIdOf(later));
    await reached(emulator, idOf(later), "success");
    expect((await historyOf(emulator, idOf(quote))).status).to.equal("waiting");
  });

  // @spec service/failed-fill state/failure
  it("a refundTo that rejects the refund ends in failure, with the failed call", async () => {
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

  it("shows a requested failure for a while, then refunds", async () => {
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

  it("refunds deposits after the quote's ttl, during a fill past the deadline, and after the order's expiry", async () => {
    const [short, late, long] = [
      await quoteOf(fixture, { ttl: 60 }),
      await quoteOf(fixture, { ttl: 60 }),
      await quoteOf(fixture),
    ];
    const { clock, faults } = fixture.emulator.control;
    const { id } = await faults.add({ delayMs: 3_600_000, kind: "fill-slow", requestId: idOf(late) });
    await deposit(fixture, orderIdOf(late));
    await reached(fixture.emulator, idOf(late), "pending");
    await clock.advance(121_000);
    await faults.remove(id);
    expect((await refunded(fixture, late)).failReason).to.equal("PROTOCOL_DEADLINE_EXPIRED");
    await deposit(fixture, orderIdOf(short));
    expect((await refunded(fixture, short)).failReason).to.equal("TTL_EXPIRED");
    await clock.advance(7 * 24 * 60 * 60 * 1_000);
    await deposit(fixture, orderIdOf(long));
    expect((await refunded(fixture, long)).failReason).to.equal("ORDER_EXPIRED");
  });
});
