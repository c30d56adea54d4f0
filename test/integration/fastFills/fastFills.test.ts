import { expect } from "chai";
import { type Address, encodeFunctionData, zeroAddress } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { perpsUsdcAddress } from "../../../src/perps/constants.ts";
import type { RequestRecord } from "../../../src/schema/record/requestV3.ts";
import {
  earnedOf,
  fastFillRefusal,
  fillFast,
  keyedQuote,
  outstandingOf,
} from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { mine, setCode, withoutAutomine } from "../../helpers/localChain.ts";
import { exchangeBalance, payOnAlpha } from "../../helpers/perps.ts";
import { handIn, type SignedWay, signed, signedQuote } from "../../helpers/quotes/permits.ts";
import { deposit, ether, fresh, idOf, orderIdOf, reverting } from "../../helpers/requests/failureStage.ts";
import { outputOf, reorgStage, triggers } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, sol, svmBalance } from "../../helpers/svm.ts";

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

  it("another payer's whole deposit: is refunded, and the advance stays outstanding", async () => {
    const { quote, wallet } = await filledFast();
    const owed = await outstandingOf(fixture, wallet);
    await deposit(fixture, orderIdOf(quote), ether, { payer: 3 });
    await refundedChild(quote);
    expect(await outstandingOf(fixture, wallet)).to.equal(owed);
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
});

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
});

describe("a signed deposit of a fast-filled request", () => {
  const fixture = useEmulator({ reorgs: true });

  async function quoted(way: SignedWay) {
    const [recipient, wallet] = [fresh(), fresh()];
    const appFees = [{ fee: "1", recipient: wallet }];
    const quote = await signedQuote(fixture, { ...signed(way), appFees, recipient });
    return { quote, recipient, wallet };
  }
  type Quoted = Awaited<ReturnType<typeof quoted>>["quote"];
  const holds = (quote: Quoted, what: string, isSo: (history: RequestHistory) => boolean) =>
    until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      return isSo(history) ? history : undefined;
    }, what);
  const received = (recipient: `0x${string}`) =>
    fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);

  for (const way of ["permit2", "eip3009"] as const) {
    it(`${way}, submitted after the fill: the deposit is sent, and pays the advance back`, async () => {
      const { quote, recipient, wallet } = await quoted(way);
      await fillFast(fixture, quote);
      const { events } = await reached(fixture.emulator, idOf(quote), "success");
      expect(await outstandingOf(fixture, wallet)).to.be.above(0);
      await handIn(fixture, quote);
      // A client that lost the answer repeats its call.
      await handIn(fixture, quote);
      const history = await holds(quote, "the deposit", ({ deposits }) => deposits.length === 1);
      expect([history.status, history.deposits[0]?.outcome]).to.deep.equal(["success", "netted"]);
      expect([history.events, history.children]).to.deep.equal([events, []]);
      expect(await outstandingOf(fixture, wallet)).to.equal(0);
      expect(await received(recipient)).to.equal(outputOf(quote));
    });
  }

  it("a deposit that is sent and not mined, which the payer voids: the fast fill is refused, and nothing is paid", async () => {
    const { quote, recipient } = await quoted("permit2");
    const { alpha, emulator } = fixture;
    await withoutAutomine(alpha, async () => {
      const address = emulator.info.solver;
      await handIn(fixture, quote);
      await until(async () => {
        const [mined, sent] = await Promise.all([
          alpha.reader.getTransactionCount({ address }),
          alpha.reader.getTransactionCount({ address, blockTag: "pending" }),
        ]);
        return sent > mined ? true : undefined;
      }, "the signed deposit to be sent");
      expect((await fastFillRefusal(fixture, idOf(quote)))[0]).to.equal(409);
      const wallet = alpha.wallet(0);
      await wallet.sendTransaction({
        data: erc20Data("approve", alpha.info.contracts.permit2, 0n),
        maxFeePerGas: 900_000_000_000n,
        maxPriorityFeePerGas: 800_000_000_000n,
        gas: 100_000n,
        to: alpha.currency("USDT"),
      });
      await mine(alpha);
    });
    await reached(emulator, idOf(quote), "failure");
    expect(await received(recipient)).to.equal(0n);
  });
});

describe("a fast fill outside of EVM chains", () => {
  const fixture = useEmulator({ perps: true, svm: true });

  for (const [where, chainId, currency, account, balanceOf] of [
    ["the SVM chain", 792703809, sol.address, freshSvm, svmBalance],
    ["the perps exchange", 1337, perpsUsdcAddress, async () => fresh(), exchangeBalance],
  ] as const) {
    it(`to ${where}: pays the quoted amount before the deposit, which covers it without a second fill`, async () => {
      const recipient = await account();
      const quote = await keyedQuote(fixture, {
        ...{ destinationChainId: chainId, destinationCurrency: currency, recipient },
      });
      await fillFast(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      const amount = BigInt(quote.details.currencyOut.amount);
      const held = () => balanceOf(fixture, recipient as never, currency);
      expect(await held()).to.equal(amount);
      await payOnAlpha(fixture, quote);
      await until(async () => {
        const { deposits } = await historyOf(fixture.emulator, idOf(quote));
        return deposits.length > 0 ? true : undefined;
      }, "the deposit");
      expect(await held()).to.equal(amount);
    });
  }
});
