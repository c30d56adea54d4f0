import { expect } from "chai";
import { type Address, type Hex, parseAbi, parseEventLogs } from "viem";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import { getStatus, type Quote } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { fiftyDollars, movePool, quoteFor, sendAs } from "../../helpers/quotes/intents.ts";
import {
  ether,
  fresh,
  idOf,
  quoteOf,
  refunded,
  reverting,
  senderOf,
} from "../../helpers/requests/failureStage.ts";
import { mineInstead, signedBytes } from "../../helpers/requests/mineInstead.ts";
import { recordReaders } from "../../helpers/requests/recordReaders.ts";
import { outputOf, reorgStage, triggers } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a reorg that could cause a second payment of one deposit", () => {
  const log: LogEntry[] = [];
  const fixture = useEmulator({ log: (entry) => log.push(entry), reorgs: true }, { each: true });
  beforeEach(() => {
    log.length = 0;
  });

  const { balanceOf, expectNoGap, lose } = reorgStage(fixture);
  const call = (chain: TestChain, method: string, ...params: unknown[]) =>
    chain.reader.request({ method, params } as never);
  const automine = (chain: TestChain, isOn: boolean) => call(chain, "evm_setAutomine", isOn);
  const errors = () => log.filter(({ level }) => level === "error").map(({ message }) => message);
  /** Waits until the solver has a transaction of some kind in some state. */
  const sent = (quote: Quote, kind: string, state: string, count = 1) =>
    until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      const those = history.transactions.filter((each) => each.kind === kind && each.state === state);
      return those.length === count ? history : undefined;
    }, `${count} ${kind} ${state}`);
  const summaryOf = ({ transactions }: RequestHistory) =>
    transactions.map(({ kind, state }) => `${kind} ${state}`);

  type Stage = { readonly quote: Quote; readonly recipient: Address; readonly refundTo: Address };
  /** A fill that reverted, and a refund that was signed and is not mined: its chain stands still from then on. */
  async function refundUnderWay(): Promise<Stage & { pay: () => Promise<unknown> }> {
    const { alpha, beta } = fixture;
    const [recipient, refundTo] = [fresh(), fresh()];
    const quote = await quoteOf(fixture, { recipient, refundTo });
    const pay = await senderOf(fixture, quote);
    await automine(beta, false);
    await pay();
    await reached(fixture.emulator, idOf(quote), "submitted");
    await automine(alpha, false);
    await setCode(beta, recipient, reverting);
    await goOn(beta);
    await sent(quote, "refund", "signed");
    return { pay, quote, recipient, refundTo };
  }
  // In this order: what the solver sends after the block is mined too.
  async function goOn(chain: TestChain): Promise<void> {
    await automine(chain, true);
    await call(chain, "evm_mine");
  }
  /** Expects a single end of the request, in balances and events. */
  async function expectFilled({ quote, recipient, refundTo }: Stage): Promise<void> {
    const status = await getStatus(fixture.client, { requestId: idOf(quote) });
    const { failReason, transactions } = await historyOf(fixture.emulator, idOf(quote));
    const fill = transactions.find(({ kind }) => kind === "fill");
    expect([status.status, status.txHashes, failReason]).to.deep.equal(["success", [fill?.hash], null]);
    expect(await balanceOf(fixture.beta, recipient)).to.equal(outputOf(quote));
    expect(await balanceOf(fixture.alpha, refundTo)).to.equal(0n);
  }
  async function expectRefunded({ quote, recipient, refundTo }: Stage): Promise<void> {
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("refund");
    expect(await balanceOf(fixture.beta, recipient)).to.equal(0n);
    const paid = await balanceOf(fixture.alpha, refundTo);
    expect(paid > 0n && paid < ether).to.equal(true);
  }

  it("a fill that is mined although its refund was signed: cancels the refund", async () => {
    const stage = await refundUnderWay();
    await lose(fixture.beta, 1, true);
    const history = await reached(fixture.emulator, idOf(stage.quote), "success");
    expect(summaryOf(history)).to.deep.equal(["fill mined", "cancel signed"]);
    await goOn(fixture.alpha);
    await sent(stage.quote, "cancel", "mined");
    await expectFilled(stage);
    expect(triggers(history).slice(-2)).to.deep.equal(["fill-submitted", "fill-succeeded"]);
    await expectNoGap(fixture.alpha);
    await expectNoGap(fixture.beta);
    expect(errors()).to.deep.equal([]);
  });

  it("a deposit that vanishes with fill and refund, repeatedly: the nonces of both are cancelled each time", async () => {
    const stage = await refundUnderWay();
    await goOn(fixture.alpha);
    await refunded(fixture, stage.quote);
    await lose(fixture.beta);
    await sent(stage.quote, "cancel", "mined");
    for (const cancelled of [2, 3]) {
      await lose(fixture.alpha, 2);
      await sent(stage.quote, "cancel", "mined", cancelled);
      expect((await historyOf(fixture.emulator, idOf(stage.quote))).status).to.equal("failure");
      expect(await balanceOf(fixture.alpha, stage.refundTo)).to.equal(0n);
      await stage.pay();
      await reached(fixture.emulator, idOf(stage.quote), "refund");
      await expectRefunded(stage);
    }
    await expectNoGap(fixture.alpha);
    await expectNoGap(fixture.beta);
    expect(errors()).to.deep.equal([]);
  });

  it("a cancelled fill that is mined after its deposit returned: pays once, and no other fill is signed", async () => {
    const { alpha, beta } = fixture;
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    const pay = await senderOf(fixture, quote);
    await pay();
    const [fill] = (await reached(fixture.emulator, idOf(quote), "success")).transactions;
    const raw = await signedBytes(beta, fill?.hash ?? "0x");
    await lose(alpha);
    await reached(fixture.emulator, idOf(quote), "failure");
    await automine(beta, false);
    await lose(beta);
    const cancelled = await sent(quote, "cancel", "signed");
    await pay();
    await reached(fixture.emulator, idOf(quote), "pending");
    await mineInstead(beta, cancelled.transactions.find(({ kind }) => kind === "cancel")?.hash, [raw]);
    const history = await reached(fixture.emulator, idOf(quote), "success");
    expect(history.transactions.map(({ hash, kind }) => [kind, hash])).to.deep.equal([["fill", fill?.hash]]);
    expect(await balanceOf(beta, recipient)).to.equal(outputOf(quote));
    await expectNoGap(beta);
    expect(errors()).to.deep.equal([]);
  });
});

const depositAbi = parseAbi([
  "event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)",
]);

describe("a reorg after which a deposit's swap returns less", () => {
  const fixture = useEmulator({ reorgs: true });
  const { lose } = reorgStage(fixture);
  const { recordOf } = recordReaders(fixture);

  /** A quote whose deposit swaps first, with its sender. The allowance is mined. */
  async function prepared(recipient: Address): Promise<{ pay: () => Promise<Hex>; quote: Quote }> {
    const quote = await quoteFor(fixture, { from: "USDT", recipient, slippageTolerance: "500", to: "USDC" });
    const [approval, ...others] = quote.steps.slice(0, -1);
    expect(others).to.have.length(0);
    const { data, to } = (approval?.items[0]?.data ?? {}) as { data: Hex; to: Address };
    await sendAs(fixture.alpha, 0, { data, to });
    return { pay: await senderOf(fixture, quote, 1_500_000n), quote };
  }

  /** What the depository received, in the smallest unit. */
  async function depositedBy(hash: Hex): Promise<bigint> {
    const { logs } = await fixture.alpha.reader.waitForTransactionReceipt({ hash });
    return parseEventLogs({ abi: depositAbi, logs })[0]?.args.amount ?? 0n;
  }

  const usdcOf = (recipient: Address) => fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);

  it("before the fill: is filled by the second amount, and the record shows that amount", async () => {
    const recipient = fresh();
    const { pay, quote } = await prepared(recipient);
    await fixture.emulator.control.faults.add({ delayMs: 5_000, kind: "fill-slow", requestId: idOf(quote) });
    const first = await depositedBy(await pay());
    await reached(fixture.emulator, idOf(quote), "pending");
    await lose(fixture.alpha);
    await reached(fixture.emulator, idOf(quote), "failure");
    await movePool(fixture.alpha, "USDT", "USDC", 2n);
    const second = await depositedBy(await pay());
    expect(second < first && second > 0n).to.equal(true);
    await fixture.emulator.control.clock.advance(5_000);
    await reached(fixture.emulator, idOf(quote), "success");

    const received = await usdcOf(recipient);
    const { amount, minimumAmount } = quote.details.currencyOut;
    expect(received < BigInt(amount) && received >= BigInt(minimumAmount ?? 0)).to.equal(true);
    expect(received < second).to.equal(true);
    const actual = (await recordOf(quote)).route?.actual;
    expect(actual?.origin?.inputCurrency).to.include({ amount: fiftyDollars("USDT").toString() });
    expect(actual?.origin?.outputCurrency).to.include({ amount: second.toString() });
    expect(actual?.destination?.outputCurrency).to.include({ amount: received.toString() });
  });

  it("after the fill: pays nothing more, and the record shows the second amount with the paid output", async () => {
    const recipient = fresh();
    const { pay, quote } = await prepared(recipient);
    const first = await depositedBy(await pay());
    await reached(fixture.emulator, idOf(quote), "success");
    const received = await usdcOf(recipient);
    await lose(fixture.alpha);
    await reached(fixture.emulator, idOf(quote), "failure");
    await movePool(fixture.alpha, "USDT", "USDC", 2n);
    const second = await depositedBy(await pay());
    expect(second < first && second > 0n).to.equal(true);
    await reached(fixture.emulator, idOf(quote), "success");

    expect(await usdcOf(recipient)).to.equal(received);
    const { deposits, transactions } = await historyOf(fixture.emulator, idOf(quote));
    expect(transactions.map(({ kind, state }) => [kind, state])).to.deep.equal([["fill", "mined"]]);
    expect(deposits.map(({ amount, outcome }) => [amount, outcome])).to.deep.equal([
      [second.toString(), "accepted"],
    ]);
    const actual = (await recordOf(quote)).route?.actual;
    expect(actual?.origin?.outputCurrency).to.include({ amount: second.toString() });
    expect(actual?.destination?.outputCurrency).to.include({ amount: received.toString() });
  });
});
