import { expect } from "chai";
import type { Context } from "../../../../../emulator/context/Context.ts";
import { assignPayments } from "../../../../../emulator/solver/addresses/assignPayments.ts";
import { resetStore } from "../../../../../emulator/store/resetStore.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { testContext } from "../../support/context.ts";
import { ether, fakeChain } from "../../support/fakeChains.ts";
import {
  addDepositAddress,
  addRequest,
  idOf,
  readAll,
  requestId,
  requestRow,
} from "../../support/requests.ts";

const chain = fakeChain(31337, "alpha");
const [failing, paying] = [`0x${"ad".repeat(20)}`, `0x${"ae".repeat(20)}`];
/** Most payments that get a request in one round. */
const assignedAtOnce = 16;

forEachStore("assignPayments", (kind) => {
  let store: Store;
  let time: number;
  let context: Context;
  before(async () => {
    ({ store } = await kind.open());
  });
  beforeEach(async () => {
    await resetStore(store);
    time = 1_000;
    context = testContext({ now: () => time, store });
    const other = idOf(1);
    await addRequest(store, { id: requestId });
    await addRequest(store, { id: other, order_id: idOf(2) });
    // The terms of an open address that cannot be parsed fail each quote of another amount.
    await addDepositAddress(store, { address: failing, chain_id: 31337, request_id: requestId });
    await addDepositAddress(store, { address: paying, chain_id: 31337, request_id: other });
  });

  const runRound = () => assignPayments(chain, context);
  const add = (id: string, address: string, amount: bigint, at: number) =>
    store
      .insertInto("address_payments")
      .values({
        address,
        amount: amount.toString(),
        at,
        chain_id: 31337,
        currency: ether.address,
        id,
        state: "found",
        tx_hash: id,
      })
      .execute();
  const addFailing = (id: string) => add(id, failing, 10n ** 18n, 1);
  const payment = (id: string) =>
    store.selectFrom("address_payments").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  /** Requests of a strict address quote nothing: the payment pays for the address's own request. */
  const endCause = () =>
    store.updateTable("deposit_addresses").set({ type: "strict" }).where("address", "=", failing).execute();

  it("a payment after the limit's number of failing ones: gets its request in the next round", async () => {
    for (let index = 0; index < assignedAtOnce; index++) await addFailing(`failing ${index}`);
    await add("paying", paying, 100n, 2);
    await runRound();
    expect((await payment("paying")).state).to.equal("found");
    await runRound();
    expect(await payment("paying")).to.include({ request_id: idOf(1), state: "assigned" });
  });

  it("more failing payments than all rounds of a delay take: each is retried before any is retried twice", async () => {
    for (let index = 0; index < 3 * assignedAtOnce; index++) await addFailing(`failing ${index}`);
    for (let round = 0; round < 6; round++) {
      await runRound();
      time += 8_000;
    }
    const attempts = (await readAll(store, "address_payments")).map((row) => row.attempts);
    expect(attempts).to.deep.equal(Array(3 * assignedAtOnce).fill(2));
  });

  it("a failing payment: is retried later and later up to eight seconds, and assigned once its cause is gone", async () => {
    await addFailing("failing");
    const delays = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      await runRound();
      const { not_before } = await payment("failing");
      delays.push(Number(not_before) - time);
      time = Number(not_before);
    }
    expect(delays).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    await runRound();
    await endCause();
    time += 7_999;
    await runRound();
    expect(await payment("failing")).to.include({ attempts: 7, state: "found" });
    time += 1;
    await runRound();
    expect(await payment("failing")).to.include({ request_id: requestId, state: "assigned" });
  });

  it("a failing payment under a frozen clock of the emulator: is retried, and assigned once its cause is gone", async () => {
    context = testContext({ now: () => 1_000, store, workTime: () => time });
    await addFailing("failing");
    await runRound();
    await endCause();
    await runRound();
    expect(await payment("failing")).to.include({ attempts: 1, state: "found" });
    time += 500;
    await runRound();
    expect(await payment("failing")).to.include({ request_id: requestId, state: "assigned" });
  });

  for (const [what, ahead] of [
    ["ahead of", 1_000],
    ["behind", -1_000],
  ] as const) {
    it(`failing payments while the emulator's clock is ${what} the system's: a later payment gets its request in the next round`, async () => {
      context = testContext({ now: () => 2_000 + ahead, store, workTime: () => time });
      time = 2_000;
      for (let index = 0; index < 2 * assignedAtOnce; index++) {
        await add(`failing ${index}`, failing, 10n ** 18n, 1_000 + ahead);
      }
      for (let round = 0; round < 2; round++) await runRound();
      time += 500;
      await add("paying", paying, 100n, 2_000 + ahead);
      await runRound();
      expect(await payment("paying")).to.include({ request_id: idOf(1), state: "assigned" });
    });
  }

  it("delays that another clock wrote: are over, and the payments are assigned after those that are due by this clock", async () => {
    await endCause();
    await addFailing("of another clock");
    await store.updateTable("address_payments").set({ attempts: 3, not_before: 4_000_000_000_000 }).execute();
    for (let index = 0; index < assignedAtOnce; index++) await add(`paying ${index}`, paying, 100n, 2);
    await runRound();
    expect((await payment("of another clock")).state).to.equal("found");
    await runRound();
    expect(await payment("of another clock")).to.include({ request_id: requestId, state: "assigned" });
  });

  it("a payment that failed two thousand times: is retried after eight seconds", async () => {
    await addFailing("failing");
    await store.updateTable("address_payments").set({ attempts: 2_000 }).execute();
    await runRound();
    expect(await payment("failing")).to.include({ attempts: 2_001, not_before: time + 8_000 });
  });

  it("a malformed intent of an address's request: delays no payment to another address, and is retried later and later", async () => {
    const { intent } = requestRow();
    const setIntent = (json: string) =>
      store.updateTable("requests").set({ intent: json }).where("id", "=", requestId).execute();
    await setIntent("{}");
    await addFailing("failing");
    await add("paying", paying, 100n, 2);
    await runRound();
    expect(await payment("failing")).to.include({ attempts: 1, not_before: time + 500, state: "found" });
    expect(await payment("paying")).to.include({ request_id: idOf(1), state: "assigned" });
    await setIntent(intent);
    await endCause();
    time += 500;
    await runRound();
    expect(await payment("failing")).to.include({ request_id: requestId, state: "assigned" });
  });

  it("a payment that failed and has an excess: its excess is due at once", async () => {
    await addFailing("failing");
    await runRound();
    await endCause();
    time += 500;
    await runRound();
    expect(await payment("failing:excess")).to.include({ attempts: 0, not_before: null, state: "found" });
    await runRound();
    expect((await payment("failing:excess")).state).to.not.equal("found");
  });
});
