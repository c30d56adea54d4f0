import { expect } from "chai";
import { revertSettlement } from "../../../../../emulator/solver/reorgs/revertSettlement.ts";
import { testContext } from "../../support/context.ts";
import {
  addDeposit,
  addRequest,
  addTransaction,
  emptyStore,
  readAll,
  readRequest,
} from "../../support/requests.ts";
import { signedFill } from "../../support/signedFill.ts";

describe("revertSettlement", () => {
  it("the second of two mined fills: cancels it, and lets the first one stand", async () => {
    const store = await emptyStore();
    await addRequest(store, { status: "success" });
    await addDeposit(store);
    const mined = { block_hash: `0x${"b1".repeat(32)}`, state: "mined" } as const;
    await addTransaction(store, { ...mined, hash: "0xc1", kind: "cancel", state: "reverted" });
    await addTransaction(store, { ...mined, replaced_by: 1 });
    await addTransaction(store, { ...mined, ...(await signedFill(1)), nonce: 1 });
    const row = (await readAll(store, "transactions")).find(({ nonce }) => nonce === 1);
    if (row === undefined) throw new Error("no second fill");
    const moved = { relayed: [], transactions: [{ block: undefined, row }] };
    await store
      .transaction()
      .execute((transaction) => revertSettlement(transaction, moved, testContext({ store })));
    const rows = await store
      .selectFrom("transactions")
      .select(["kind", "nonce", "replaced_by", "state"])
      .orderBy("id")
      .execute();
    expect(rows).to.deep.equal([
      { kind: "fill", nonce: 0, replaced_by: null, state: "mined" },
      { kind: "fill", nonce: 1, replaced_by: 4, state: "signed" },
      { kind: "cancel", nonce: 1, replaced_by: null, state: "signed" },
    ]);
    expect((await readRequest(store)).status).to.equal("success");
    await store.destroy();
  });
});
