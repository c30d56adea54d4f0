import { expect } from "chai";
import { openSvmChain } from "../../../../../emulator/chains/svm/openSvmChain.ts";
import type { SvmChain } from "../../../../../emulator/chains/svm/SvmChain.ts";
import { advanceSvmSweeps } from "../../../../../emulator/solver/svm/advanceSvmSweeps.ts";
import type { Store } from "../../../../../emulator/store/openStore.ts";
import { resetStore } from "../../../../../emulator/store/resetStore.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { testContext } from "../../support/context.ts";
import { addRequest, idOf } from "../../support/requests.ts";

/** Most sweeps of one round. */
const batchSize = 64;
const malformed = "{}";
const wellFormed = JSON.stringify({ amount: "1", currency: idOf(7), depositor: idOf(8), salt: idOf(9) });

forEachStore("advanceSvmSweeps", (kind) => {
  let store: Store;
  let chain: SvmChain;
  let time: number;
  before(async () => {
    ({ store } = await kind.open());
  });
  beforeEach(async () => {
    await resetStore(store);
    time = 1_700_000_000_000;
    chain = await openSvmChain({ now: () => time, random32: () => idOf(1), store });
  });

  const runRound = () => advanceSvmSweeps(chain, testContext({ now: () => time, store }));
  const add = async (index: number, payload: string, at: number) => {
    const request_id = idOf(100_000 + index);
    // A sweep whose request was paid otherwise is dropped at its turn.
    await addRequest(store, { id: request_id, order_id: idOf(200_000 + index), status: "pending" });
    const chain_id = chain.definition.id;
    await store
      .insertInto("relayed_deposits")
      .values({ at, chain_id, kind: "sweep", payload, request_id, state: "due" })
      .execute();
  };
  const sweep = (index: number) =>
    store
      .selectFrom("relayed_deposits")
      .selectAll()
      .where("request_id", "=", idOf(100_000 + index))
      .executeTakeFirstOrThrow();

  it("a sweep after the limit's number of failing ones: is handled in the next round", async () => {
    for (let index = 0; index < batchSize; index++) await add(index, malformed, 1);
    await add(batchSize, wellFormed, 2);
    await runRound();
    expect((await sweep(batchSize)).state).to.equal("due");
    await runRound();
    expect((await sweep(batchSize)).state).to.equal("dropped");
  });

  it("a failing sweep: is retried later and later up to eight seconds, and handled once its cause is gone", async () => {
    await add(0, malformed, 1);
    const delays = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      await runRound();
      const { not_before } = await sweep(0);
      delays.push(Number(not_before) - time);
      time = Number(not_before);
    }
    expect(delays).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    await store.updateTable("relayed_deposits").set({ payload: wellFormed }).execute();
    time -= 1;
    await runRound();
    expect((await sweep(0)).state).to.equal("due");
    time += 1;
    await runRound();
    expect((await sweep(0)).state).to.equal("dropped");
  });
});
