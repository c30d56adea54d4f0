import { expect } from "chai";
import type { Hex } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { askNode, automine, mine, setCode } from "../../helpers/localChain.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { ether, fresh, idOf, quoteOf, reverting, senderOf } from "../../helpers/requests/failureStage.ts";
import { mineInstead, signedBytes } from "../../helpers/requests/mineInstead.ts";
import { outputOf, reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

forEachStore("a reorg that replaces a payment by its cancel", (kind) => {
  const fixture = useEmulator({ reorgs: true }, { database: kind.newUrl, each: true });
  const { balanceOf, expectNoGap, lose } = reorgStage(fixture);

  /** The hash of the solver's transaction of some kind in some state, once there is one. */
  const sent = (quote: Quote, wanted: string, state: string) =>
    until(async () => {
      const { transactions } = await historyOf(fixture.emulator, idOf(quote));
      return transactions.find((each) => each.kind === wanted && each.state === state)?.hash;
    }, `a ${wanted} ${state}`);
  /** The bytes of a transaction, once its chain's node has it. */
  const bytesOf = (chain: TestChain, hash: Hex) =>
    until(() => signedBytes(chain, hash).catch(() => undefined), `the bytes of ${hash}`);
  /** Removes the block of a transaction, and all blocks after it. */
  async function remove(chain: TestChain, hash: Hex): Promise<void> {
    const { blockNumber } = await chain.reader.getTransactionReceipt({ hash });
    await lose(chain, Number((await chain.reader.getBlockNumber()) - blockNumber) + 1);
  }
  const fillsOf = ({ transactions }: RequestHistory) => transactions.filter((each) => each.kind === "fill");

  /** A fill that was mined despite its cancel, on a chain that stands still from then on. */
  async function filledDespiteCancel() {
    const { alpha, beta, emulator } = fixture;
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    const pay = await senderOf(fixture, quote);
    await pay();
    const [fill] = (await reached(emulator, idOf(quote), "success")).transactions;
    const raw = await signedBytes(beta, fill?.hash ?? "0x");
    await lose(alpha);
    await reached(emulator, idOf(quote), "failure");
    await automine(beta, false);
    await lose(beta);
    const hash = await sent(quote, "cancel", "signed");
    const cancel = { hash, raw: await bytesOf(beta, hash) };
    await pay();
    await sent(quote, "fill", "signed");
    await mineInstead(beta, hash, [raw]);
    await reached(emulator, idOf(quote), "success");
    // The second fill is cancelled in its turn.
    await mine(beta);
    await sent(quote, "cancel", "mined");
    expect(await balanceOf(beta, recipient)).to.equal(outputOf(quote));
    await automine(beta, false);
    return { cancel, fill: { hash: fill?.hash ?? "0x", raw }, quote, recipient } as const;
  }

  it("a fill that was mined despite its cancel: the deposit is filled anew, and paid once", async () => {
    const { beta, emulator } = fixture;
    const { cancel, fill, quote, recipient } = await filledDespiteCancel();
    await remove(beta, fill.hash);
    await reached(emulator, idOf(quote), "submitted");
    await mineInstead(beta, fill.hash, [cancel.raw]);
    const anew = await reached(emulator, idOf(quote), "success");
    expect(fillsOf(anew).map(({ hash, state }) => [hash === fill.hash, state])).to.deep.equal([
      [false, "mined"],
    ]);
    expect(anew.failReason).to.equal(null);
    expect(await balanceOf(beta, recipient)).to.equal(outputOf(quote));
    await expectNoGap(beta);
  });

  it("a further reorg mines the first fill again: the new one is cancelled, and the recipient paid once", async () => {
    const { beta, emulator } = fixture;
    const { cancel, fill, quote, recipient } = await filledDespiteCancel();
    await remove(beta, fill.hash);
    await reached(emulator, idOf(quote), "submitted");
    await mineInstead(beta, fill.hash, [cancel.raw]);
    await reached(emulator, idOf(quote), "success");
    await automine(beta, false);
    await remove(beta, cancel.hash);
    await reached(emulator, idOf(quote), "submitted");
    await mineInstead(beta, cancel.hash, [fill.raw]);
    const last = await reached(emulator, idOf(quote), "success");
    expect(fillsOf(last).map(({ hash, state }) => [hash, state])).to.deep.equal([[fill.hash, "mined"]]);
    await mine(beta);
    expect(await balanceOf(beta, recipient)).to.equal(outputOf(quote));
    await expectNoGap(beta);
  });

  it("a refund that was mined despite its cancel: the deposit is refunded anew, and once", async () => {
    const { alpha, beta, emulator } = fixture;
    const [recipient, refundTo] = [fresh(), fresh()];
    const quote = await quoteOf(fixture, { recipient, refundTo });
    const pay = await senderOf(fixture, quote);
    await automine(beta, false);
    await pay();
    await reached(emulator, idOf(quote), "submitted");
    await automine(alpha, false);
    await setCode(beta, recipient, reverting);
    await mine(beta);
    const refund = await sent(quote, "refund", "signed");
    const raw = await bytesOf(alpha, refund);
    // The fill pays in its next block, and cancels the refund; a third block removes the fill.
    await automine(beta, true);
    await lose(beta, 1, true);
    await reached(emulator, idOf(quote), "success");
    const cancel = await sent(quote, "cancel", "signed");
    const cancelRaw = await bytesOf(alpha, cancel);
    await automine(beta, false);
    await lose(beta);
    await reached(emulator, idOf(quote), "submitted");
    await mineInstead(alpha, cancel, [raw]);
    await reached(emulator, idOf(quote), "refund");
    await automine(alpha, false);
    await lose(alpha);
    await reached(emulator, idOf(quote), "pending");
    // The solver holds the refund back until the fill's cancel is settled.
    await askNode(alpha, "eth_sendRawTransaction", cancelRaw);
    for (const chain of [alpha, beta]) {
      await automine(chain, true);
      await mine(chain);
    }
    const { transactions } = await reached(emulator, idOf(quote), "refund");
    expect(transactions.some(({ hash }) => hash === refund)).to.equal(false);
    expect(await balanceOf(beta, recipient)).to.equal(0n);
    const paid = await balanceOf(alpha, refundTo);
    expect(paid > 0n && paid < ether).to.equal(true);
    await expectNoGap(alpha);
    await expectNoGap(beta);
  });
});
