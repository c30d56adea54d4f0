import { expect } from "chai";
import { readAgenda } from "../../../../emulator/solver/readAgenda.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { addDeposit, addRequest, addTransaction, requestId } from "../support/requests.ts";

const nothing = { deposits: false, payments: false, relayed: false, transactions: false };

forEachStore("readAgenda", ({ open }) => {
  let store: Store;
  before(async () => {
    store = (await open()).store;
    await addRequest(store);
  });

  it("finds no work in a database without deposits, relayed deposits and transactions", async () => {
    expect(await readAgenda(store)).to.deep.equal(nothing);
  });

  for (const state of ["fill-due", "refund-due"] as const) {
    it(`a deposit in ${state}: deposits`, async () => {
      await addDeposit(store, { state });
      expect(await readAgenda(store)).to.deep.equal({ ...nothing, deposits: true });
      await store.deleteFrom("deposits").execute();
    });
  }

  for (const state of ["due", "signed"] as const) {
    it(`a relayed deposit that is ${state}: relayed`, async () => {
      await store
        .insertInto("relayed_deposits")
        .values({ at: 1, chain_id: 31337, request_id: requestId, kind: "permit", payload: "{}", state })
        .execute();
      expect(await readAgenda(store)).to.deep.equal({ ...nothing, relayed: true });
      await store.updateTable("relayed_deposits").set({ state: "mined" }).execute();
      expect(await readAgenda(store)).to.deep.equal(nothing);
      await store.deleteFrom("relayed_deposits").execute();
    });
  }

  it("a payment that is signed and not mined: transactions", async () => {
    await addDeposit(store);
    await addTransaction(store);
    expect(await readAgenda(store)).to.deep.equal({ ...nothing, transactions: true });
    await store.updateTable("transactions").set({ state: "mined" }).execute();
    expect(await readAgenda(store)).to.deep.equal(nothing);
  });
});
