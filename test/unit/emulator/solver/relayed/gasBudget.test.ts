import { expect } from "chai";
import { takeCallGas } from "../../../../../emulator/solver/relayed/gasBudget.ts";
import { alpha } from "../../support/fakeChains.ts";
import { addRequest, emptyStore, readAll } from "../../support/requests.ts";

const hourMs = 3_600_000;

describe("takeCallGas", () => {
  it("calls an hour after earlier ones: delete the caller's old rows, and no others", async () => {
    const store = await emptyStore();
    const take = async (apiKeyId: string | undefined, at: number, requestId: string) => {
      await addRequest(store, { id: requestId, order_id: requestId });
      const paid = { apiKeyId, at, chain: alpha, cost: 10n ** 15n, requestId };
      await store.transaction().execute((transaction) => takeCallGas(transaction, paid));
    };
    await take("key", 1_000, "old");
    await take("other", 1_000, "another's");
    await take("key", 1_001, "recent");
    await take("key", hourMs + 1_000, "new");
    const kept = (await readAll(store, "call_gas", "request_id")).map(({ request_id }) => request_id);
    expect(kept).to.deep.equal(["another's", "new", "recent"]);
    await store.destroy();
  });
});
