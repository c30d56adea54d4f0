import { expect } from "chai";
import { HttpRequestError } from "viem";
import { unmined } from "../../../../../emulator/solver/receipts/readOutcome.ts";
import { advanceRelayed } from "../../../../../emulator/solver/relayed/advanceRelayed.ts";
import { settleRelayed } from "../../../../../emulator/solver/relayed/settleRelayed.ts";
import type { Store } from "../../../../../emulator/store/openStore.ts";
import type { RelayedDepositRow } from "../../../../../emulator/store/tables.ts";
import type { Quote } from "../../../../../src/schema/quote/quote.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { type PermitStage, startPermitStage } from "./support/permitStage.ts";

forEachStore("settleRelayed", (kind) => {
  let stage: PermitStage;
  let store: Store;
  before(async () => {
    ({ store } = await kind.open());
    stage = await startPermitStage(store);
  });
  after(() => stage?.close());
  beforeEach(() => stage.reset());

  const settle = () => settleRelayed(stage.alpha.chain, stage.context);
  const runRound = () => advanceRelayed(stage.alpha.chain, stage.context);
  const expectPermit = async (quote: Quote, columns: object) =>
    expect(await stage.permit(quote)).to.include(columns);

  /** Replaces a method of the chain's client until the returned function is called. */
  function replace(method: "getTransactionReceipt" | "sendRawTransaction", failing: () => Promise<never>) {
    const { client } = stage.alpha.chain;
    const { [method]: working } = client;
    Object.assign(client, { [method]: failing });
    return () => Object.assign(client, { [method]: working });
  }
  /** Signs deposits and sends none of them. */
  async function signed(count: number): Promise<readonly Quote[]> {
    const quotes: Quote[] = [];
    while (quotes.length < count) quotes.push(await stage.acceptedQuote());
    const repair = replace("sendRawTransaction", async () => {
      throw new Error("not now");
    });
    await runRound();
    repair();
    stage.logged.length = 0;
    return quotes;
  }
  async function change(quote: Quote, values: Partial<RelayedDepositRow>): Promise<void> {
    const { request_id } = await stage.permit(quote);
    const permits = store.updateTable("relayed_deposits").set(values);
    await permits.where("request_id", "=", request_id).execute();
  }

  it("deposits without a transaction, or of a request with a malformed intent: delay no other, and are retried later and later", async () => {
    const quotes = await signed(3);
    const [broken, lost, last] = quotes as [Quote, Quote, Quote];
    await settle();
    // The chain has mined all three: only the last one can be settled.
    for (const quote of quotes) await change(quote, { ...unmined, state: "signed" });
    await change(lost, { raw: null });
    const { id } = await stage.request(broken);
    await store.updateTable("requests").set({ intent: "{" }).where("id", "=", id).execute();
    await settle();
    await expectPermit(last, { attempts: 0, state: "mined" });
    for (const quote of [broken, lost]) {
      await expectPermit(quote, { attempts: 1, not_before: stage.context.now() + 500, state: "signed" });
    }
    stage.wait(499);
    await settle();
    expect(stage.logged).to.deep.equal(Array(2).fill("settling a relayed deposit failed"));
    stage.wait(1);
    await settle();
    await expectPermit(lost, { attempts: 2, not_before: stage.context.now() + 1_000, state: "signed" });
  });

  it("a malformed transaction of the lowest nonce: the chain still settles deposits that it has mined", async () => {
    const [first, second] = (await signed(2)) as [Quote, Quote];
    await settle();
    for (const quote of [first, second]) await change(quote, { ...unmined, state: "signed" });
    await change(first, { hash: "0x", raw: "0x" });
    await settle();
    await expectPermit(first, { state: "signed" });
    await expectPermit(second, { state: "mined" });
  });

  it("a node that is away: the first deposit ends the round, and all are sent in the order of their nonces later", async () => {
    const quotes = await signed(3);
    let asked = 0;
    const repair = replace("getTransactionReceipt", async () => {
      asked++;
      throw new HttpRequestError({ url: "http://127.0.0.1:1" });
    });
    const error = await failureOf(settle());
    repair();
    expect(error).to.be.instanceOf(HttpRequestError);
    expect(asked).to.equal(1);
    for (const quote of quotes) await expectPermit(quote, { attempts: 0, state: "signed" });
    expect(stage.logged).to.deep.equal([]);
    await settle();
    const mined = await Promise.all(quotes.map((quote) => stage.permit(quote)));
    expect(mined.map(({ state }) => state)).to.deep.equal(Array(3).fill("mined"));
    const inOrder = mined.toSorted((a, b) => Number(a.nonce) - Number(b.nonce));
    const blocks = inOrder.map(({ block_number }) => Number(block_number));
    expect(blocks).to.deep.equal(blocks.toSorted((a, b) => a - b));
    expect(new Set(blocks).size).to.equal(3);
  });
});
