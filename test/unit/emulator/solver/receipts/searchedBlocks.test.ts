import { expect } from "chai";
import type { Context } from "../../../../../emulator/context/Context.ts";
import { defaultQuoteSettings } from "../../../../../emulator/context/QuoteSettings.ts";
import { noControl } from "../../../../../emulator/control/noControl.ts";
import { scanChain } from "../../../../../emulator/solver/scanChain.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { accounts, type LiveChain, startLiveChain } from "../../support/liveChain.ts";
import {
  depositId,
  depositRow,
  noApiKeys,
  orderId,
  requestId,
  requestRow,
  transactionRow,
} from "../../support/requests.ts";

forEachStore("a search of a reorganised chain", (kind) => {
  let live: LiveChain;
  before(async () => {
    live = await startLiveChain(31_398, "gamma");
  });
  after(() => live?.chain.close());

  it("takes back a fill that another process records in a vanished block meanwhile", async () => {
    const { store } = await kind.open();
    const chain_id = live.chain.definition.id;
    const context: Context = {
      accounts,
      adminKey: "",
      apiKeys: noApiKeys,
      chains: new Map([[chain_id, live.chain]]),
      control: noControl,
      log: () => undefined,
      now: () => 1_000,
      quoting: defaultQuoteSettings(),
      random32: () => orderId,
      store,
    };
    await store
      .insertInto("requests")
      .values(requestRow({ status: "submitted" }))
      .execute();
    await store.insertInto("deposits").values(depositRow()).execute();
    await store.insertInto("transactions").values(transactionRow({ chain_id })).execute();
    const fork = await live.chain.rpc("evm_snapshot");
    await live.send({ to: accounts.deployer.account.address });
    const vanished = await live.chain.client.getBlock();
    await scanChain(live.chain, context);
    await live.chain.rpc("evm_revert", [fork]);
    await live.chain.rpc("evm_mine");
    let confirmed = 0;
    const confirm = async () => {
      // The second time, the search has read what is recorded of the solver's transactions.
      if (++confirmed < 2) return;
      const place = { block_hash: vanished.hash, block_number: Number(vanished.number) };
      await store
        .updateTable("transactions")
        .set({ ...place, state: "mined" })
        .execute();
      await store.updateTable("requests").set({ status: "success" }).execute();
    };
    await scanChain({ ...live.chain, confirm }, context);
    await scanChain(live.chain, context);
    expect(confirmed).to.equal(2);
    const row = await store
      .selectFrom("transactions")
      .innerJoin("requests", "requests.id", "transactions.request_id")
      .select(["transactions.block_hash", "transactions.deposit_id", "transactions.state", "requests.status"])
      .where("requests.id", "=", requestId)
      .executeTakeFirst();
    expect(row).to.deep.equal({
      block_hash: null,
      deposit_id: depositId,
      state: "signed",
      status: "submitted",
    });
  });
});
