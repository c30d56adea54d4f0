import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { encodeFunctionData, zeroAddress } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { earnedOf, fillFast, keyedQuote, outstandingOf } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { deposit, ether, fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a deposit that covers a fast fill, and a reorg", () => {
  const fixture = useEmulator({ reorgs: true });
  const user = () => fixture.alpha.wallet(0).account.address;
  const lose = (blocks?: number) => reorgStage(fixture).lose(fixture.alpha, blocks);

  async function filledFast() {
    const [refundTo, wallet] = [fresh(), fresh()];
    const appFees = [{ fee: "1", recipient: wallet }];
    const quote = await keyedQuote(fixture, { appFees, recipient: fresh(), refundTo });
    await fillFast(fixture, quote);
    await reached(fixture.emulator, idOf(quote), "success");
    const holds = (what: string, isSo: (history: RequestHistory) => boolean) =>
      until(async () => {
        const history = await historyOf(fixture.emulator, idOf(quote));
        return isSo(history) ? history : undefined;
      }, what);
    return {
      owed: () => outstandingOf(fixture, wallet),
      pay: await payerOf(orderIdOf(quote)),
      quote,
      refunded: () => fixture.alpha.balanceOf(zeroAddress, refundTo),
      until: {
        child: (status: string) =>
          holds(`a child in ${status}`, ({ children }) => children.at(-1)?.status === status),
        holds,
        covered: () => holds("the cover", (each) => outcomes(each).includes("netted")),
        vanished: () => holds("the loss", (each) => outcomes(each).includes("vanished")),
      },
      wallet,
    };
  }
  const outcomes = ({ deposits }: RequestHistory) => deposits.map(({ outcome }) => outcome);

  /** Signs a deposit of one and a half ether in the user's name, and resolves with what sends its bytes. */
  async function payerOf(orderId: `0x${string}`) {
    const payer = fixture.alpha.wallet(4);
    const args = [user(), orderId] as const;
    const prepared = await payer.prepareTransactionRequest({
      data: encodeFunctionData({ abi: relayDepositoryAbi, args, functionName: "depositNative" }),
      gas: 500_000n,
      to: fixture.alpha.info.contracts.depository,
      value: (ether * 3n) / 2n,
    });
    const serializedTransaction = await payer.signTransaction(prepared);
    return () => payer.sendRawTransaction({ serializedTransaction });
  }

  it("above the advance: the excess is refunded once, and the fees are those of the advance", async () => {
    const more = await filledFast();
    await more.pay();
    const { deposits } = await more.until.child("refund");
    expect(deposits.map(({ amount }) => BigInt(amount))).to.deep.equal([ether]);
    expect(await more.refunded()).to.be.within((ether * 49n) / 100n, ether / 2n);
    expect(await more.owed()).to.equal(0);
    const plain = await filledFast();
    await deposit(fixture, orderIdOf(plain.quote));
    await plain.until.covered();
    expect(await earnedOf(fixture, more.wallet)).to.equal(await earnedOf(fixture, plain.wallet));
  });

  it("removes it with the refund of its excess: the advance is owed until it returns, and all is paid once", async () => {
    const { owed, pay, quote, refunded, until: when, wallet } = await filledFast();
    const advance = await owed();
    await pay();
    const before = await when.child("refund");
    const refund = await refunded();
    const fees = await earnedOf(fixture, wallet);
    expect(fees).to.be.above(0);
    await lose(2);
    const { failReason, status } = await when.vanished();
    await when.child("failure");
    expect([status, failReason, await refunded()]).to.deep.equal(["success", null, 0n]);
    expect([await owed(), await earnedOf(fixture, wallet)]).to.deep.equal([advance, 0]);
    await pay();
    const after = await when.child("refund");
    expect([outcomes(after), after.children]).to.deep.equal([["netted"], before.children]);
    expect((await refunded()) / 10n ** 15n).to.equal(refund / 10n ** 15n);
    expect([await owed(), await earnedOf(fixture, wallet)]).to.deep.equal([0, fees]);
    expect((await historyOf(fixture.emulator, idOf(quote))).transactions).to.have.length(1);
    await reorgStage(fixture).expectNoGap(fixture.alpha);
  });

  it("removes it, and another deposit covers the advance before it returns: it is refunded whole", async () => {
    const { owed, pay, quote, refunded, until: when } = await filledFast();
    await pay();
    await when.child("refund");
    await lose(2);
    await when.child("failure");
    await deposit(fixture, orderIdOf(quote), ether, { depositor: user(), payer: 3 });
    await when.covered();
    await pay();
    const { transactions } = await when.holds("both refunds", ({ children }) =>
      isDeepStrictEqual(
        children.map(({ status }) => status),
        ["refund", "refund"],
      ),
    );
    expect(await refunded()).to.be.within((ether * 147n) / 100n, (ether * 3n) / 2n);
    expect([await owed(), transactions.length]).to.deep.equal([0, 1]);
    await reorgStage(fixture).expectNoGap(fixture.alpha);
  });
});
