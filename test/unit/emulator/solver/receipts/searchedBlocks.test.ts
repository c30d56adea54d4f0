import { expect } from "chai";
import { scanChain } from "../../../../../emulator/solver/scanChain.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { testContext } from "../../support/context.ts";
import { accounts, type LiveChain, startLiveChain } from "../../support/liveChain.ts";
import { addDeposit, addRequest, addTransaction, readAll, readRequest } from "../../support/requests.ts";

forEachStore("searchedBlocks", (kind) => {
  let live: LiveChain;
  before(async () => {
    live = await startLiveChain(31_398, "gamma");
  });
  after(() => live?.chain.close());

  it("a fill that another process records in a reorged block during the search: is reverted by the next search", async () => {
    const { store } = await kind.open();
    const context = testContext({ chains: new Map([[live.chain.definition.id, live.chain]]), store });
    await addRequest(store, { status: "submitted" });
    await addDeposit(store);
    await addTransaction(store, { chain_id: live.chain.definition.id });
    const fork = await live.chain.rpc("evm_snapshot");
    await live.send({ to: accounts.deployer.account.address });
    const vanished = await live.chain.client.getBlock();
    await scanChain(live.chain, context);
    await live.chain.rpc("evm_revert", [fork]);
    await live.chain.rpc("evm_mine");
    let confirmed = 0;
    const confirm = async () => {
      // By the second call the search has read the recorded transactions of the solver.
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
    const [fill] = await readAll(store, "transactions");
    expect(fill).to.include({ block_hash: null, state: "signed" });
    expect(await readRequest(store)).to.include({ status: "submitted" });
  });
});
