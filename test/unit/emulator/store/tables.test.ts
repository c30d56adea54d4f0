import { expect } from "chai";
import { findRequest } from "../../../../emulator/requests/applyTrigger.ts";
import { resetStore } from "../../../../emulator/store/resetStore.ts";
import type { Store } from "../../../../emulator/store/tables.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachDialect } from "../../../helpers/processes/stores.ts";
import { addDeposit, addRequest, addTransaction, readAll, readRequest } from "../support/requests.ts";

const unique = /unique constraint/i;
const foreign = /foreign key constraint/i;

forEachDialect("tables", (kind) => {
  let store: Store;
  before(async () => {
    ({ store } = await kind.open());
  });
  beforeEach(async () => {
    await resetStore(store);
    await addRequest(store);
    await addDeposit(store);
  });

  async function expectRefused(row: Promise<unknown>, reason: RegExp, what = ""): Promise<void> {
    expect(String(await failureOf(row)), what).to.match(reason);
  }
  const replaceFill = (replaced_by: number) =>
    store.updateTable("transactions").set({ replaced_by }).where("kind", "=", "fill").execute();

  it("reject a second fill of a deposit, and a second refund", async () => {
    await addTransaction(store);
    await addTransaction(store, { hash: "0xe1", kind: "refund", nonce: 1 });
    for (const again of ["fill", "refund"] as const) {
      const row = { hash: `0x${again}`, kind: again, nonce: 2 };
      await expectRefused(addTransaction(store, row), unique, again);
    }
    expect(await readAll(store, "transactions")).to.have.length(2);
  });

  it("reject a second fill of a request for another deposit, and a second obligation of a request", async () => {
    await addDeposit(store, { id: "claim", source: "claim" });
    await addTransaction(store);
    await expectRefused(addTransaction(store, { deposit_id: "claim", hash: "0xf2", nonce: 1 }), unique);
    await expectRefused(addDeposit(store, { id: "advance", source: "advance" }), unique);
  });

  it("reject a nonce that is used on the chain, and accept it on another chain", async () => {
    await addDeposit(store, { id: "second" });
    await addTransaction(store);
    const same = { deposit_id: "second", hash: "0xf2", kind: "refund" } as const;
    await expectRefused(addTransaction(store, same), unique);
    await addTransaction(store, { ...same, chain_id: 31337 });
  });

  it("a replaced fill: accept its cancel and another fill, and reject a second cancel of the nonce", async () => {
    const cancel = { hash: "0xc1", kind: "cancel" } as const;
    const another = { hash: "0xf2", nonce: 1 };
    await addTransaction(store);
    const id = await addTransaction(store, cancel);
    await expectRefused(addTransaction(store, another), unique);
    await replaceFill(id);
    await addTransaction(store, another);
    await expectRefused(addTransaction(store, { ...cancel, hash: "0xc2" }), unique);
    // The nonce of the replaced fill stays its own among payments.
    await expectRefused(addTransaction(store, { hash: "0xe1", kind: "refund" }), unique);
  });

  it("reject a replacement by an unknown transaction, and the removal of a replacement", async () => {
    await expectRefused(addTransaction(store, { replaced_by: 99 }), foreign);
    await addTransaction(store);
    const id = await addTransaction(store, { hash: "0xc1", kind: "cancel" });
    await replaceFill(id);
    await expectRefused(store.deleteFrom("transactions").where("id", "=", id).execute(), foreign);
  });

  it("reject a transaction, a deposit and a request that are stored already", async () => {
    await addTransaction(store);
    await addDeposit(store, { id: "second" });
    for (const [column, insert] of Object.entries({
      "deposits.id": () => addDeposit(store),
      "requests.id": () => addRequest(store, { order_id: "0x02" }),
      "requests.order_id": () => addRequest(store, { id: "0x02" }),
      "transactions.hash": () => addTransaction(store, { deposit_id: "second", nonce: 1 }),
    })) {
      await expectRefused(insert(), unique, column);
    }
  });

  it("store the character NUL as the replacement character, and match no text with it", async () => {
    expect(await findRequest(store, "\0")).to.equal(undefined);
    await store.updateTable("requests").set({ referrer: "a\0b" }).execute();
    expect((await readRequest(store)).referrer).to.equal("a\uFFFDb");
  });
});
