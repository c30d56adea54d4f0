import { expect } from "chai";
import { transactionHashes } from "../../../../emulator/requests/statusData.ts";
import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { addDeposit, addRequest, addTransaction, requestId } from "../support/requests.ts";

forEachDialect("transactionHashes", (kind) => {
  it("lists each deposit transaction once, by time, and the solver's payments once they are mined", async () => {
    const { store } = await kind.open();
    await addRequest(store);
    await addDeposit(store);
    await addDeposit(store, { at: 2_500, id: "same" });
    await addDeposit(store, { at: 1_500, id: "earlier", tx_hash: "0x00" });
    await addTransaction(store, { state: "reverted" });
    await addTransaction(store, { hash: "0xe2", kind: "refund", nonce: 1 });
    const hashes = () => transactionHashes(store, requestId);
    expect(await hashes()).to.deep.equal({ inTxHashes: ["0x00", "0x01"], txHashes: [] });
    await store.updateTable("transactions").set({ state: "mined" }).where("kind", "=", "refund").execute();
    expect((await hashes()).txHashes).to.deep.equal(["0xe2"]);
    expect(await transactionHashes(store, "0x99")).to.deep.equal({ inTxHashes: [], txHashes: [] });
  });
});
