import { expect } from "chai";
import type { Hex } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  replay,
  reverting,
} from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, requestsOf, until } from "../../helpers/requests/requestHistory.ts";

describe("failed deposits and refunds", () => {
  const fixture = useEmulator();

  /** Waits until the request that a deposit opened is refunded. */
  const refundedChild = (hash: Hex) =>
    until(async () => {
      const [request] = await requestsOf(fixture.emulator, hash);
      return request?.status === "refund" ? request : undefined;
    }, "the refund of the deposit");

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
});
