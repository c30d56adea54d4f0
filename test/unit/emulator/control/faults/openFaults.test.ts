import { expect } from "chai";
import type { FaultSubject } from "../../../../../emulator/context/FaultHooks.ts";
import { openFaults } from "../../../../../emulator/control/faults/openFaults.ts";
import { openControlLog } from "../../../../../emulator/control/settings/controlLog.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";

import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { idOf, intent, requestRow } from "../../support/requests.ts";

const subject: FaultSubject = requestRow({ currency_out: intent.destination.currency });

forEachStore("openFaults", (kind) => {
  let store: Store;
  let time: number;
  let url: string;
  beforeEach(async () => {
    url = await kind.newUrl();
    ({ store } = await kind.open(url));
    time = 1_000;
  });

  async function open(seed = "seed", over = store) {
    const now = () => time;
    const log = ({ cause }: { cause?: unknown }) => {
      throw cause;
    };
    const controlLog = openControlLog({ log, now, store: over });
    let woken = 0;
    const onChange = () => woken++;
    const faults = await openFaults({ controlLog, log, now, onChange, seed, store: over });
    return { controlLog, faults, wokenTimes: () => woken };
  }
  const numbered = (index: number): FaultSubject => ({ ...subject, id: idOf(index) });
  const delivery = { channel: "webhook", requestId: subject.id, status: "pending" } as const;

  it("added, removed and ended delays: wake the waiting work", async () => {
    const { faults, wokenTimes } = await open();
    const { id } = await faults.add({ delayMs: 20, kind: "fill-slow" });
    expect(wokenTimes()).to.equal(1);
    expect(await faults.hooks.forFill(subject)).to.deep.equal({ until: 1_020 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(wokenTimes()).to.equal(2);
    await faults.remove(id);
    await faults.clear();
    expect(wokenTimes()).to.equal(4);
    expect(faults.hooks.isQuiet()).to.equal(true);
  });

  it("a delay for two requests: fires once for each of them and for no third", async () => {
    const { faults } = await open();
    await faults.add({ count: 2, delayMs: 100, kind: "fill-slow" });
    for (let round = 0; round < 3; round++) {
      for (const index of [1, 2])
        expect(await faults.hooks.forFill(numbered(index))).to.deep.equal({ until: 1_100 });
    }
    expect(await faults.hooks.forFill(numbered(3))).to.equal(undefined);
    time = 1_100;
    for (const index of [1, 2]) expect(await faults.hooks.forFill(numbered(index))).to.equal(undefined);
  });

  it("a probability of 0.25: strikes that share of requests, and others for another seed", async () => {
    const struckBy = async (seed: string) => {
      const { faults } = await open(seed);
      await faults.clear();
      await faults.add({ count: "always", kind: "refund-rejected", probability: 0.25 });
      const struck: boolean[] = [];
      for (let index = 0; index < 400; index++) {
        struck.push((await faults.hooks.forRefund(numbered(index))) !== undefined);
      }
      return struck;
    };
    const first = await struckBy("one");
    expect(first.filter(Boolean)).to.have.length.within(70, 130);
    // The fault's id decides too: a new database would give it the same one.
    expect(await struckBy("two")).to.not.deep.equal(first);
  });

  it("a transaction that is rolled back: its fault has not fired", async () => {
    const { controlLog, faults } = await open();
    await faults.add({ kind: "delivery-dropped" });
    const fire = async (isKept: boolean) =>
      store.transaction().execute(async (transaction) => {
        const fault = await faults.hooks.forDelivery(delivery, transaction);
        if (!isKept) throw new Error(`${fault} is not to be`);
        return fault;
      });
    expect(await failureOf(fire(false))).to.include({ message: "drop is not to be" });
    expect(await controlLog.list()).to.have.length(0);
    expect(await fire(true)).to.equal("drop");
    expect(await fire(true)).to.equal(undefined);
    await faults.reload();
    expect(faults.list()).to.deep.equal([]);
    expect(await controlLog.list()).to.have.length(1);
  });

  it("malformed faults: are rejected, and none is added", async () => {
    const { faults } = await open();
    const wrong = [
      {},
      { kind: "fill-fails" },
      { failReason: "N/A", kind: "fill-fails" },
      { failReason: "SLIPPAGE", kind: "fill-fails", surprise: 1 },
      { count: 0, failReason: "SLIPPAGE", kind: "fill-fails" },
      { failReason: "SLIPPAGE", kind: "fill-fails", probability: 0 },
      { delayMs: -1, kind: "fill-slow" },
      { kind: "route-limited", path: "chains" },
      { kind: "route-broken", path: "/chains", status: 404 },
      { kind: "solver-broke" },
    ];
    for (const spec of wrong) {
      expect(await failureOf(faults.add(spec as never)), JSON.stringify(spec)).to.be.instanceOf(Error);
    }
    expect(faults.list()).to.deep.equal([]);
  });
});
