import { expect } from "chai";
import type { Store } from "../../../../emulator/store/openStore.ts";
import {
  type StatusSubscriptions,
  type StatusUpdate,
  startStatusSubscriptions,
} from "../../../../emulator/websocket/statusSubscriptions.ts";
import type { RequestStatus } from "../../../../src/schema/request/requestStatus.ts";
import { emptyStore, requestRow } from "../support/requests.ts";

const requestId = `0x${"ab".repeat(32)}`;

describe("subscriptions to statuses", () => {
  let store: Store;
  let subscriptions: StatusSubscriptions;
  /** Tells the feed of what was committed; the tests decide when. */
  let poke: () => void;
  /** What the reading of a present status waits for after it has read. */
  let gate: Promise<void>;

  beforeEach(async () => {
    store = await emptyStore();
    gate = Promise.resolve();
    subscriptions = await startStatusSubscriptions({
      log: ({ cause }) => {
        throw cause;
      },
      onCommit: (listener) => {
        poke = listener;
      },
      store: withGate(store, () => gate),
    });
    await store
      .insertInto("requests")
      .values(requestRow({ id: requestId, updated_at: 1 }))
      .execute();
  });
  afterEach(async () => {
    await subscriptions.stop();
    await store.destroy();
  });

  let at = 1;
  /** Writes a change of status as the lifecycle does, without telling the feed. */
  async function reach(status: RequestStatus, txHash?: string): Promise<void> {
    at += 1;
    await store.updateTable("requests").set({ status, updated_at: at }).where("id", "=", requestId).execute();
    await store
      .insertInto("events")
      .values({ at, data: JSON.stringify({ txHash }), request_id: requestId, status, trigger: "" })
      .execute();
  }

  function subscribe(id = requestId) {
    const updates: StatusUpdate[] = [];
    const subscription = subscriptions.open(id, (update) => updates.push(update));
    return { ...subscription, statuses: () => updates.map(({ status }) => status), updates };
  }

  /** Lets the feed read everything there is. */
  async function settle(): Promise<void> {
    poke();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it("send nothing about a request that there is not", async () => {
    const { ready, statuses } = subscribe(`0x${"00".repeat(32)}`);
    await ready;
    await reach("pending");
    await settle();
    expect(statuses()).to.deep.equal([]);
  });

  it("send nothing once they are closed, be it before they were ready", async () => {
    const [first, second] = [subscribe(), subscribe()];
    first.close();
    await Promise.all([first.ready, second.ready]);
    second.close();
    await reach("pending");
    await settle();
    expect(second.statuses()).to.deep.equal(["waiting"]);
    expect(first.statuses()).to.deep.equal([]);
  });

  it("send what changed after the present status was read and before it could be sent", async () => {
    const witness = subscribe();
    await witness.ready;
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const { ready, statuses } = subscribe();
    // Reads happen in the order in which they were asked for, so this one has read `waiting`.
    await store.selectFrom("requests").select("id").execute();
    await reach("pending");
    await settle();
    expect(witness.statuses()).to.deep.equal(["waiting", "pending"]);
    expect(statuses()).to.deep.equal([]);
    open();
    await ready;
    expect(statuses()).to.deep.equal(["waiting", "pending"]);
  });

  it("do not send again what the present status already knew", async () => {
    await reach("pending");
    await reach("submitted");
    const { ready, statuses } = subscribe();
    await ready;
    await settle();
    expect(statuses()).to.deep.equal(["submitted"]);
    await reach("success");
    await settle();
    expect(statuses()).to.deep.equal(["submitted", "success"]);
  });

  it("send a status once, also where an event did not change it", async () => {
    const { ready, statuses } = subscribe();
    await ready;
    for (const status of ["pending", "pending", "refund"] as const) await reach(status);
    await settle();
    expect(statuses()).to.deep.equal(["waiting", "pending", "refund"]);
  });

  it("tell late of each status what belonged to it then", async () => {
    const { ready, updates } = subscribe();
    await ready;
    const chain = { at: 2, chain_id: 1 };
    await store
      .insertInto("deposits")
      .values({
        ...chain,
        amount: "1",
        block_number: 1,
        currency: "0x",
        depositor: "0x",
        id: "deposit",
        outcome: "accepted",
        reason: null,
        request_id: requestId,
        tag: requestId,
        tx_hash: "0xd0",
      })
      .execute();
    await reach("pending", "0xd0");
    await reach("submitted", "0xf0");
    await store
      .insertInto("transactions")
      .values({
        ...chain,
        deposit_id: "deposit",
        hash: "0xf0",
        kind: "fill",
        nonce: 0,
        raw: "0x",
        request_id: requestId,
        state: "mined",
      })
      .execute();
    await reach("success", "0xf0");
    await settle();
    const told = updates.map(({ inTxHashes, status, txHashes }) => [status, inTxHashes, txHashes]);
    expect(told).to.deep.equal([
      ["waiting", [], []],
      ["pending", ["0xd0"], []],
      ["submitted", ["0xd0"], ["0xf0"]],
      ["success", ["0xd0"], ["0xf0"]],
    ]);
    expect(updates.map(({ updatedAt }) => updatedAt)).to.deep.equal([1, at - 2, at - 1, at]);
  });
});

/** The same store, whose transactions give their result only when the gate opens. */
function withGate(store: Store, gate: () => Promise<void>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== "transaction") {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return () => ({
        setIsolationLevel: () => ({
          setAccessMode: () => ({
            execute: async (act: Parameters<ReturnType<Store["transaction"]>["execute"]>[0]) => {
              const opens = gate();
              const result = await target.transaction().execute(act);
              await opens;
              return result;
            },
          }),
        }),
      });
    },
  });
}
