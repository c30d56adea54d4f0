import { expect } from "chai";
import { type Hex, parseEther } from "viem";
import { getQuote, getStatus, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, withoutAutomine } from "../../helpers/localChain.ts";
import { connectsOf, streamEvent } from "../../helpers/network/streamListener.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";

const recipient = "0x000000000000000000000000000000000050c4e7";

describe("the websocket stream", () => {
  const fixture = useEmulator();

  const connect = connectsOf(() => fixture.emulator.info.wsUrl);

  async function quoteFrom(index = 0): Promise<Quote> {
    return getQuote(
      fixture.client,
      bridgeIntent(fixture, {
        amount: parseEther("0.01"),
        recipient,
        user: fixture.alpha.wallet(index).account.address,
      }),
    );
  }

  function idOf(quote: Quote): Hex {
    return quote.steps[0]?.requestId as Hex;
  }

  /** Makes the deposit of a quote, or a fraction of it. */
  async function pay(quote: Quote, index = 0, divisor = 1n): Promise<void> {
    const deposit = quote.steps.at(-1)?.items[0]?.data as { to: Hex; data: Hex; value: string };
    const value = BigInt(deposit.value) / divisor;
    await fixture.alpha.wallet(index).sendTransaction({ data: deposit.data, to: deposit.to, value });
  }

  // @spec websocket/stream status/fields state/waiting state/pending
  it("answers a subscription, then sends the present status and each later one, as the status endpoint has them", async () => {
    const listener = await connect();
    const quote = await quoteFrom();
    const requestId = idOf(quote);
    listener.subscribe(requestId);
    await listener.untilStatus(requestId, "waiting");
    expect(listener.frames[1]).to.deep.equal({
      data: { event: streamEvent, filters: { id: requestId } },
      status: "success",
      type: "subscribe",
    });
    await pay(quote);
    const last = await listener.untilStatus(requestId, "success");
    expect(listener.statusesOf(requestId)).to.deep.equal(["waiting", "pending", "submitted", "success"]);
    const { destinationChainId, inTxHashes, originChainId, txHashes, updatedAt } = await getStatus(
      fixture.client,
      {
        requestId,
      },
    );
    expect(last).to.deep.equal({
      data: {
        destinationChainId,
        inTxHashes,
        originChainId,
        requestId,
        status: "success",
        txHashes,
        updatedAt,
      },
      event: streamEvent,
    });
    expect([inTxHashes?.length, txHashes?.length]).to.deep.equal([1, 1]);
    // Each event has the data of its time: no fill before one was sent.
    const known = listener.frames
      .slice(2)
      .map(({ data }) => [data?.inTxHashes?.length, data?.txHashes?.length]);
    expect(known).to.deep.equal([
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  // @spec state/submitted
  it("names the fill once it is sent, before it is mined, as the status endpoint does", async () => {
    const listener = await connect();
    const quote = await quoteFrom();
    const requestId = idOf(quote);
    listener.subscribe(requestId);
    await withoutAutomine(fixture.beta, async () => {
      await pay(quote);
      const { data: told } = await listener.untilStatus(requestId, "submitted");
      const { inTxHashes, status, txHashes } = await getStatus(fixture.client, { requestId });
      expect(status).to.equal("submitted");
      expect(txHashes).to.have.length(1);
      expect(told).to.include({ requestId, status });
      expect([told?.inTxHashes, told?.txHashes]).to.deep.equal([inTxHashes, txHashes]);
      await mine(fixture.beta);
      expect((await listener.untilStatus(requestId, "success")).data?.txHashes).to.deep.equal(txHashes);
    });
  });

  it("loses and repeats nothing while many requests move and subscribers join at any moment", async () => {
    const order = ["waiting", "pending", "submitted", "success"];
    const [first, ...rest] = await Promise.all(Array.from({ length: 9 }, () => connect()));
    if (first === undefined) throw new Error("no listener");
    const quotes = await Promise.all(Array.from({ length: 30 }, (_, index) => quoteFrom(index % 10)));
    for (const quote of quotes) first.subscribe(idOf(quote));
    const paid = Promise.all(
      Array.from({ length: 10 }, async (_, payer) => {
        for (const [index, quote] of quotes.entries()) if (index % 10 === payer) await pay(quote, payer);
      }),
    );
    for (const listener of rest) {
      for (const quote of quotes) listener.subscribe(idOf(quote));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await paid;
    for (const quote of quotes) {
      for (const listener of [first, ...rest]) await listener.untilStatus(idOf(quote), "success");
      expect(first.statusesOf(idOf(quote)).slice(-3)).to.deep.equal(order.slice(-3));
      for (const listener of rest) {
        const statuses = listener.statusesOf(idOf(quote));
        expect(statuses).to.deep.equal(order.slice(-statuses.length));
      }
    }
  });
});
