import { expect } from "chai";
import type { FaultSubject } from "../../../../emulator/context/FaultHooks.ts";
import { openFaults } from "../../../../emulator/control/faults/openFaults.ts";
import { openControlLog } from "../../../../emulator/control/settings/controlLog.ts";
import { openClock } from "../../../../emulator/control/settings/openClock.ts";
import { nextRun, seededRandom } from "../../../../emulator/control/settings/openRandom.ts";
import type { Store } from "../../../../emulator/store/tables.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { forEachStore } from "../../../helpers/processes/stores.ts";
import { idOf, intent, requestRow } from "../support/requests.ts";

forEachStore("openClock", (kind) => {
  it("a machine clock set back by an hour: the clock continues from its last time", async () => {
    const { store } = await kind.open();
    let outside = 10_000_000;
    const clock = await openClock(() => outside, { store });
    await clock.advance(500);
    expect(clock.now()).to.equal(10_000_500);
    outside -= 3_600_000;
    expect(clock.now()).to.equal(10_000_500);
    outside += 10;
    expect(clock.now()).to.equal(10_000_510);
    expect((await clock.advance(5)).now).to.equal(10_000_515);
  });

  it("a machine clock set back between two runs: the clock starts at the latest record of the database", async () => {
    const { store } = await kind.open();
    const first = await openClock(() => 10_000_000, { store });
    await first.advance(500);
    const entry = { at: first.now(), data: "{}", kind: "clock" };
    await store.insertInto("control_log").values(entry).execute();
    let outside = 6_400_000;
    const second = await openClock(() => outside, { store });
    expect(second.now()).to.equal(10_000_500);
    outside += 10;
    expect(second.now()).to.equal(10_000_510);
    const third = await openClock(() => 10_000_100, { store });
    expect(third.now()).to.equal(10_000_600);
  });

  it("a given start: begins there, and continues after a restart with the same start", async () => {
    const { store } = await kind.open();
    let outside = 5_000_000;
    const first = await openClock(() => outside, { start: 1_000, store });
    expect([first.now(), first.isSet(), first.isNewStart]).to.deep.equal([1_000, true, true]);
    outside += 50;
    expect(first.now()).to.equal(1_050);
    await first.advance(100);
    await first.freeze();
    const again = await openClock(() => outside, { start: 1_000, store });
    expect([again.read(), again.isNewStart]).to.deep.equal([{ isFrozen: true, now: 1_150 }, false]);
    const later = await openClock(() => outside, { start: 9_000, store });
    expect([later.read(), later.isNewStart]).to.deep.equal([{ isFrozen: false, now: 9_000 }, true]);
    outside += 7;
    const unasked = await openClock(() => outside, { store });
    await unasked.advance(1_000);
    await unasked.restore(undefined);
    expect([unasked.now(), unasked.isNewStart]).to.deep.equal([9_007, false]);
  });

  it("a start before the latest record: is rejected, and the clock stays as it was", async () => {
    const { store } = await kind.open();
    await store.insertInto("control_log").values({ at: 2_000, data: "{}", kind: "reset" }).execute();
    const early = openClock(() => 5_000, { start: 1_999, store });
    expect(await failureOf(early)).to.match(/the database has records of 1970-01-01T00:00:02.000Z/);
    expect((await openClock(() => 5_000, { store })).now()).to.equal(5_000);
    expect((await openClock(() => 5_000, { start: 2_000, store })).now()).to.equal(2_000);
  });
});

describe("freeRandom and seededRandom", () => {
  it("a seed and a run: determine the values, from any position", () => {
    const draw = (seed: string, run: number) => {
      const { random32 } = seededRandom(seed, run);
      return [random32(), random32(), random32()];
    };
    const first = draw("seed", 1);
    expect(draw("seed", 1)).to.deep.equal(first);
    expect(draw("seed", 2)).not.to.deep.equal(first);
    expect(draw("other", 1)).not.to.deep.equal(first);
    const later = seededRandom("seed", 1);
    later.seek(2);
    expect(later.random32()).to.equal(first[2]);
    expect(later.position()).to.equal(3);
  });
});

forEachStore("nextRun", (kind) => {
  it("three starts of a database: are runs 0, 1 and 2, whose seeded values differ", async () => {
    const { store } = await kind.open();
    const runs = [await nextRun(store), await nextRun(store), await nextRun(store)];
    expect(runs).to.deep.equal([0, 1, 2]);
    const drawn = runs.map((run) => seededRandom("seed", run).random32());
    expect(new Set(drawn).size).to.equal(3);
  });
});

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
});
