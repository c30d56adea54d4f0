import { expect } from "chai";
import type { Address } from "viem";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import type { Quote } from "../../../src/client/index.ts";
import type { RequestRecord } from "../../../src/schema/record/requestV3.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { quoteFor } from "../../helpers/quotes/intents.ts";
import { handIn, signedQuote } from "../../helpers/quotes/permits.ts";
import { recordOf } from "../../helpers/quotes/sponsors.ts";
import {
  ether,
  fresh,
  idOf,
  quoteOf,
  refunded,
  revertFill,
  reverting,
  senderOf,
} from "../../helpers/requests/failureStage.ts";
import { nameTransaction } from "../../helpers/requests/nameTransaction.ts";
import { outputOf, reorgStage, triggers } from "../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("a reorg of settled transactions", () => {
  const log: LogEntry[] = [];
  const fixture = useEmulator({ log: (entry) => log.push(entry), reorgs: true });

  const { balanceOf, expectNoGap, filled, followed, lose, solver } = reorgStage(fixture);
  /** Blocks of a request's transactions, as its record has them. */
  const placesOf = async (quote: Quote, of: "inTxs" | "outTxs") => {
    const headers = { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" };
    const url = `http://localhost/requests/v3?id=${idOf(quote)}`;
    const page = (await (await fixture.emulator.fetch(new Request(url, { headers }))).json()) as {
      requests: { data: Record<typeof of, { block: number }[]> }[];
    };
    return page.requests[0]?.data[of].map(({ block }) => block);
  };

  it("a fill that is mined in another block: its request keeps its state and changes its block", async () => {
    const recipient = fresh();
    const quote = await filled(recipient);
    const [fill] = (await historyOf(fixture.emulator, idOf(quote))).transactions;
    await lose(fixture.beta, 1, true);
    const { blockNumber } = await fixture.beta.reader.getTransactionReceipt({ hash: fill?.hash ?? "0x" });
    await expectNoGap(fixture.beta);
    const history = await historyOf(fixture.emulator, idOf(quote));
    expect(triggers(history)).to.not.include("fill-reorged");
    expect(await placesOf(quote, "outTxs")).to.deep.equal([Number(blockNumber)]);
  });

  describe("a reorg of a fill that had reverted", () => {
    it("a refunded deposit whose fill vanishes: is not paid a second time, and the fill's nonce is cancelled", async () => {
      const recipient = fresh();
      const quote = await quoteOf(fixture, { recipient });
      await revertFill(fixture, quote);
      const history = await refunded(fixture, quote);
      const nonce = await fixture.beta.reader.getTransactionCount({ address: solver() });
      await lose(fixture.beta);
      await until(async () => {
        const { transactions } = await historyOf(fixture.emulator, idOf(quote));
        return transactions.find(({ kind, state }) => kind === "cancel" && state === "mined");
      }, "the cancelling transaction");
      expect(await fixture.beta.reader.getTransactionCount({ address: solver() })).to.equal(nonce);
      expect(await balanceOf(fixture.beta, recipient)).to.equal(0n);
      expect(triggers(await historyOf(fixture.emulator, idOf(quote)))).to.deep.equal(triggers(history));
      await expectNoGap(fixture.beta);
    });

    it("a quote without refundTo, whose deposit was kept: is filled once, and its deposit is no longer withdrawable", async () => {
      const recipient = fresh();
      const quote = await quoteOf(fixture, { recipient, refundTo: undefined });
      const kept = async () => {
        const record = await recordOf(fixture.emulator, quote, "v3");
        return (record as unknown as RequestRecord).protocol?.isWithdrawable;
      };
      await revertFill(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "failure");
      expect(await kept()).to.equal(true);
      await lose(fixture.beta);
      const { transactions } = await reached(fixture.emulator, idOf(quote), "success");
      expect(transactions.map(({ kind, state }) => `${kind} ${state}`)).to.deep.equal(["fill mined"]);
      expect(await balanceOf(fixture.beta, recipient)).to.equal(outputOf(quote));
      expect(await kept()).to.equal(false);
      await expectNoGap(fixture.beta);
    });

    it("a failed request without a refund yet: is filled after the reorg of its reverted fill", async () => {
      const recipient = fresh();
      const quote = await quoteOf(fixture, { recipient });
      await fixture.emulator.control.faults.add({
        delayMs: 3_600_000,
        kind: "transient-failure",
        requestId: idOf(quote),
      });
      await revertFill(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "failure");
      await lose(fixture.beta);
      const history = await reached(fixture.emulator, idOf(quote), "success");
      expect(await balanceOf(fixture.beta, recipient)).to.equal(outputOf(quote));
      expect(history.transactions.map(({ kind }) => kind)).to.deep.equal(["fill"]);
      expect(history.failReason).to.equal(null);
    });
  });

  it("a deposit that vanishes with its refund: is not refunded until it returns", async () => {
    const refundTo = fresh();
    const quote = await quoteOf(fixture, { recipient: fresh(), refundTo });
    await setCode(fixture.beta, quote.details.recipient as Address, reverting);
    const pay = await senderOf(fixture, quote);
    await pay();
    await refunded(fixture, quote);
    await lose(fixture.alpha, 2);
    const lost = await followed(quote, "refund-reorged", "failure");
    expect(lost.failReason).to.equal("DEPOSIT_REORGED");
    expect(await balanceOf(fixture.alpha, refundTo)).to.equal(0n);

    await pay();
    const history = await reached(fixture.emulator, idOf(quote), "refund");
    expect(history.failReason).to.equal("DESTINATION_TOKEN_TRANSFER_REJECTED");
    const paid = await balanceOf(fixture.alpha, refundTo);
    expect(paid > 0n && paid < ether).to.equal(true);
    await expectNoGap(fixture.alpha);
  });

  it("a filled request whose deposit vanishes: fails with metadata.reorg until the deposit returns", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    const pay = await senderOf(fixture, quote);
    const hash = await pay();
    await reached(fixture.emulator, idOf(quote), "success");
    await lose(fixture.alpha);
    const failed = await reached(fixture.emulator, idOf(quote), "failure");
    expect([failed.failReason, failed.deposits[0]?.txStatus]).to.deep.equal(["DEPOSIT_REORGED", "failure"]);
    const key = fixture.emulator.info.apiKeys[0]?.key ?? "";
    const record = async () => {
      const url = `http://localhost/requests/v2?id=${idOf(quote)}`;
      const answer = await fixture.emulator.fetch(new Request(url, { headers: { "x-api-key": key } }));
      const page = (await answer.json()) as {
        requests: {
          status: string;
          data: { inTxs: { status: string }[]; metadata: { reorg?: object }; outTxs: unknown[] };
        }[];
      };
      return page.requests[0];
    };
    const before = await record();
    expect(before?.status).to.equal("failure");
    expect(before?.data.inTxs.map(({ status }) => status)).to.deep.equal(["failure"]);
    expect(before?.data.outTxs).to.have.length(1);
    expect(before?.data.metadata.reorg).to.include({ chainId: fixture.alpha.info.id, txHash: hash });

    expect(await pay()).to.equal(hash);
    const history = await reached(fixture.emulator, idOf(quote), "success");
    expect(history.failReason).to.equal(null);
    expect(history.transactions.map(({ kind }) => kind)).to.deep.equal(["fill"]);
    expect(await balanceOf(fixture.beta, recipient)).to.equal(outputOf(quote));
    const after = await record();
    expect(after?.data.metadata.reorg).to.equal(undefined);
    expect(after?.data.inTxs.map(({ status }) => status)).to.deep.equal(["success"]);
  });

  it("a fill that vanishes after its deposit: is not sent again until the deposit returns", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    const pay = await senderOf(fixture, quote);
    await pay();
    await reached(fixture.emulator, idOf(quote), "success");
    await lose(fixture.alpha);
    await reached(fixture.emulator, idOf(quote), "failure");
    await lose(fixture.beta);
    await until(async () => {
      const { transactions } = await historyOf(fixture.emulator, idOf(quote));
      return transactions.find(({ kind, state }) => kind.startsWith("cancel") && state === "mined");
    }, "the cancelling transaction");
    expect(await balanceOf(fixture.beta, recipient)).to.equal(0n);
    expect((await historyOf(fixture.emulator, idOf(quote))).status).to.equal("failure");
    await pay();
    await reached(fixture.emulator, idOf(quote), "success");
    expect(await balanceOf(fixture.beta, recipient)).to.equal(outputOf(quote));
    await expectNoGap(fixture.beta);
  });

  it("a same-chain transaction that is mined in another block: its request stays ended, and changes its block", async () => {
    const quote = await quoteFor(fixture, { from: "ETH", sameChain: true, to: "WETH" });
    const pay = await senderOf(fixture, quote);
    const hash = await pay();
    await nameTransaction(fixture, quote, hash);
    const before = await reached(fixture.emulator, idOf(quote), "success");
    await lose(fixture.alpha, 1, true);
    const { blockNumber } = await fixture.alpha.reader.getTransactionReceipt({ hash });
    await expectNoGap(fixture.alpha);
    const history = await historyOf(fixture.emulator, idOf(quote));
    expect([history.status, triggers(history)]).to.deep.equal(["success", triggers(before)]);
    expect(await placesOf(quote, "inTxs")).to.deep.equal([Number(blockNumber)]);
  });

  it("a deposit by signature that vanishes: is sent again, and filled once", async () => {
    const quote = await signedQuote(fixture, { recipient: fresh() });
    await handIn(fixture, quote);
    const { recipient } = quote.details as { recipient: Address };
    const before = await reached(fixture.emulator, idOf(quote), "success");
    await lose(fixture.alpha);
    const hash = before.deposits[0]?.txHash ?? "0x";
    await until(
      () => fixture.alpha.reader.getTransactionReceipt({ hash }).catch(() => undefined),
      "the deposit to be mined again",
    );
    await until(async () => {
      const { deposits } = await historyOf(fixture.emulator, idOf(quote));
      return deposits[0]?.outcome === "accepted" ? deposits : undefined;
    }, "the deposit to be found again");
    const { beta } = fixture;
    expect(await beta.balanceOf(beta.currency("USDC"), recipient)).to.equal(outputOf(quote));
    await expectNoGap(fixture.alpha);
  });
});
