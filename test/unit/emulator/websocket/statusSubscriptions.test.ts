import { expect } from "chai";
import type { Store } from "../../../../emulator/store/tables.ts";

import {
  type StatusSubscriptions,
  type StatusUpdate,
  startStatusSubscriptions,
} from "../../../../emulator/websocket/statusSubscriptions.ts";
import type { RequestStatus } from "../../../../src/schema/request/requestStatus.ts";
import {
  addDeposit,
  addEvent,
  addRequest,
  addTransaction,
  emptyStore,
  requestId,
} from "../support/requests.ts";
import { pause } from "../support/waiting.ts";

describe("startStatusSubscriptions", () => {
  let store: Store;
  let subscriptions: StatusSubscriptions;
  /** Announces the commits so far. */
  let announce: () => void;
  /** Delays the result of each read of a present status. */
  let gate: Promise<void>;
  let at: number;

  beforeEach(async () => {
    store = await emptyStore();
    gate = Promise.resolve();
    at = 1;
    subscriptions = await startStatusSubscriptions({
      log: ({ cause }) => {
        throw cause;
      },
      onCommit: (listener) => {
        announce = listener;
      },
      store: withGate(store, () => gate),
    });
    await addRequest(store, { updated_at: at });
  });
  afterEach(async () => {
    await subscriptions.stop();
    await store.destroy();
  });

  /** Writes a change of status with its event, without announcing the commit. */
  async function reach(status: RequestStatus, txHash?: string): Promise<void> {
    at += 1;
    await store.updateTable("requests").set({ status, updated_at: at }).execute();
    await addEvent(store, { at, data: JSON.stringify({ txHash }), status });
  }
  function open(id: string = requestId) {
    const updates: StatusUpdate[] = [];
    const subscription = subscriptions.open(id, (update) => updates.push(update));
    return { ...subscription, statuses: () => updates.map(({ status }) => status), updates };
  }
  async function openReady(id?: string) {
    const subscription = open(id);
    await subscription.ready;
    return subscription;
  }
  /** Announces the commits and waits until the follower has read them. */
  async function settle(): Promise<void> {
    announce();
    await pause(20);
  }

  it("an unknown request: sends nothing", async () => {
    const { statuses } = await openReady(`0x${"00".repeat(32)}`);
    await reach("pending");
    await settle();
    expect(statuses()).to.deep.equal([]);
  });

  it("a subscription closed before or after it was ready: sends nothing more", async () => {
    const [first, second] = [open(), open()];
    first.close();
    await Promise.all([first.ready, second.ready]);
    second.close();
    await reach("pending");
    await settle();
    expect(second.statuses()).to.deep.equal(["waiting"]);
    expect(first.statuses()).to.deep.equal([]);
  });

  it("a change after the present status was read and before it is sent: is sent after it", async () => {
    const witness = await openReady();
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    const { ready, statuses } = open();
    // Reads are answered in order: the subscription has read `waiting`.
    await store.selectFrom("requests").select("id").execute();
    await reach("pending");
    await settle();
    expect(witness.statuses()).to.deep.equal(["waiting", "pending"]);
    expect(statuses()).to.deep.equal([]);
    release();
    await ready;
    expect(statuses()).to.deep.equal(["waiting", "pending"]);
  });

  it("changes before the present status was read: are not sent again", async () => {
    await reach("pending");
    await reach("submitted");
    const { statuses } = await openReady();
    await settle();
    expect(statuses()).to.deep.equal(["submitted"]);
    await reach("success");
    await settle();
    expect(statuses()).to.deep.equal(["submitted", "success"]);
  });

  it("an event that does not change the status: sends the status once", async () => {
    const { statuses } = await openReady();
    for (const status of ["pending", "pending", "refund"] as const) await reach(status);
    await settle();
    expect(statuses()).to.deep.equal(["waiting", "pending", "refund"]);
  });

  it("several changes sent late: each has the hashes and the time that it had then", async () => {
    const { updates } = await openReady();
    await addDeposit(store, { tx_hash: "0xd0" });
    await reach("pending", "0xd0");
    await reach("submitted", "0xf0");
    await addTransaction(store, { hash: "0xf0", state: "mined" });
    await reach("success", "0xf0");
    await settle();
    const sent = updates.map((update) => [
      update.status,
      update.updatedAt,
      update.inTxHashes,
      update.txHashes,
    ]);
    expect(sent).to.deep.equal([
      ["waiting", 1, [], []],
      ["pending", 2, ["0xd0"], []],
      ["submitted", 3, ["0xd0"], ["0xf0"]],
      ["success", 4, ["0xd0"], ["0xf0"]],
    ]);
  });
});

/** The same store, whose transactions give their result once the gate opens. */
function withGate(store: Store, gate: () => Promise<void>): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== "transaction") {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      const execute = async (act: Parameters<ReturnType<Store["transaction"]>["execute"]>[0]) => {
        const opens = gate();
        const result = await target.transaction().execute(act);
        await opens;
        return result;
      };
      return () => ({ setIsolationLevel: () => ({ setAccessMode: () => ({ execute }) }) });
    },
  });
}
