import { expect } from "chai";
import type { Address } from "viem";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import { getStatus, type Quote } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
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

  it("a fill that a reorg removed: its nonce is cancelled, and the deposit refunded once", async () => {
    const stage = await refundUnderWay();
    await lose(fixture.beta);
    await sent(stage.quote, "cancel", "mined");
    await goOn(fixture.alpha);
    await reached(fixture.emulator, idOf(stage.quote), "refund");
    await expectRefunded(stage);
    await expectNoGap(fixture.alpha);
    await expectNoGap(fixture.beta);
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
