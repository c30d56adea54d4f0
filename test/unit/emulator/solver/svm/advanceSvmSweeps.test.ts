import { expect } from "chai";
import type { Hex } from "viem";
import { openSvmChain } from "../../../../../emulator/chains/svm/openSvmChain.ts";
import type { SvmChain } from "../../../../../emulator/chains/svm/SvmChain.ts";
import { svmDepositKey, svmParts } from "../../../../../emulator/chains/svm/svmParts.ts";
import { noControl } from "../../../../../emulator/context/Context.ts";
import { advanceSvmSweeps } from "../../../../../emulator/solver/ledgers/svm/advanceSvmSweeps.ts";
import { resetStore } from "../../../../../emulator/store/resetStore.ts";
import type { RelayedDepositRow, RequestRow, Store } from "../../../../../emulator/store/tables.ts";
import { decodeSvmAddress } from "../../../../../src/svm/address.ts";
import { svmNativeToken } from "../../../../../src/svm/constants.ts";
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
  /** Stores a due sweep. If its request was paid otherwise, as by default, it is dropped at its turn. */
  const add = async (
    index: number,
    payload: string,
    at: number,
    status: RequestRow["status"] = "pending",
  ) => {
    const request_id = idOf(100_000 + index);
    await addRequest(store, { id: request_id, order_id: idOf(200_000 + index), status });
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

  it("a fault that delays a sweep: ends when the emulator's clock is set past it, within half a second", async () => {
    await add(0, wellFormed, 1);
    const started = time;
    let clock = started;
    const until = started + 3_600_000;
    const forSignedDeposit = () => (clock < until ? until : undefined);
    const faulty = testContext({
      control: { ...noControl, faults: { ...noControl.faults, forSignedDeposit } },
      now: () => clock,
      store,
      workTime: () => time,
    });
    for (let round = 0; round < 10; round++) {
      await advanceSvmSweeps(chain, faulty);
      expect(await sweep(0)).to.include({ attempts: 0, not_before: time + 500, state: "due" });
      time += 500;
    }
    clock = until;
    await advanceSvmSweeps(chain, faulty);
    expect((await sweep(0)).state).to.equal("dropped");
  });

  /** Stores a due sweep of the whole balance of a deposit address. */
  async function addFunded(index: number, salt: Hex, amount = 2_000_000_000n): Promise<void> {
    const currency = decodeSvmAddress({ address: svmNativeToken });
    const { address } = await svmDepositKey(salt, svmParts(chain));
    await chain.setBalance(currency, decodeSvmAddress({ address }), amount);
    const payload = JSON.stringify({ amount: amount.toString(), currency, depositor: idOf(8), salt });
    await add(index, payload, 2, "depositing");
  }
  const setSweep = (index: number, values: Partial<RelayedDepositRow>) =>
    store
      .updateTable("relayed_deposits")
      .set(values)
      .where("request_id", "=", idOf(100_000 + index))
      .execute();

  it("signed sweeps that fail to settle: are retried later and later, and delay no sweep of another address", async () => {
    for (let index = 0; index < batchSize; index++) {
      await add(index, wellFormed, 1);
      await setSweep(index, { hash: `failing ${index}`, raw: "", state: "signed" });
    }
    await addFunded(batchSize, idOf(10));
    await runRound();
    expect(await sweep(0)).to.include({ attempts: 1, not_before: time + 500, state: "signed" });
    expect((await sweep(batchSize)).state).to.equal("mined");
    time += 499;
    await runRound();
    expect((await sweep(0)).attempts).to.equal(1);
    time += 1;
    await runRound();
    expect(await sweep(0)).to.include({ attempts: 2, not_before: time + 1_000 });
  });

  it("a sweep of an address whose earlier sweep fails to settle: waits for it, and each takes its own payment", async () => {
    await addFunded(0, idOf(10));
    const whole = chain;
    const { ledger } = svmParts(chain);
    const failing = { ...ledger, settle: () => Promise.reject(new Error("not now")) };
    chain = { ...chain, svm: { ...svmParts(chain), ledger: failing } };
    await runRound();
    expect(await sweep(0)).to.include({ attempts: 1, state: "signed" });
    // A second payment of the same amount to the same address.
    await addFunded(1, idOf(10), 4_000_000_000n);
    await setSweep(1, { payload: (await sweep(0)).payload });
    time += 500;
    await runRound();
    expect(await sweep(1)).to.include({ attempts: 1, hash: null, state: "due" });
    chain = whole;
    time += 8_000;
    await runRound();
    expect([(await sweep(0)).state, (await sweep(1)).state]).to.deep.equal(["mined", "mined"]);
  });
});
