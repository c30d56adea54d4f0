import { expect } from "chai";
import { openClock } from "../../../../../emulator/control/settings/openClock.ts";
import { ControlRefusedError } from "../../../../../emulator/errors/refusals.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";
import { fakeChain } from "../../support/fakeChains.ts";

forEachStore("openClock", (kind) => {
  it("an earlier time: is refused by `set`, and taken by `restore` from an earlier reading or the time outside", async () => {
    const { store } = await kind.open();
    const clock = await openClock(() => 1_000, { store });
    const earlier = await clock.advance(100);
    await clock.advance(100);
    expect(await failureOf(clock.set(1_100))).to.be.instanceOf(ControlRefusedError);
    await clock.restore(earlier);
    expect(clock.now()).to.equal(1_100);
    await clock.freeze();
    const frozen = await clock.set(2_000);
    await clock.restore(undefined);
    expect(clock.read()).to.deep.equal({ isFrozen: false, now: 1_000 });
    await clock.restore(frozen);
    expect(clock.read()).to.deep.equal(frozen);
  });

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

  /** A node whose newest block is 1, at a time that `onChange` may move. */
  function chainAt(name: string, onChange: (state: { timestamp: string }) => never) {
    const hash = `0x${"00".repeat(32)}`;
    const state = { timestamp: "0x0" };
    const setTime = () => onChange(state);
    return fakeChain(1, name, {
      answers: {
        eth_getBlockByNumber: () => ({ hash, number: "0x1", parentHash: hash, ...state }),
        evm_mine: setTime,
        evm_setNextBlockTimestamp: setTime,
      },
    });
  }

  it("a chain whose time cannot be set: `advance` throws with its name until the chain is not followed", async () => {
    const { store } = await kind.open();
    const clock = await openClock(() => 1_000, { store });
    const chain = chainAt("old", () => {
      throw new Error("unsupported");
    });
    const stop = clock.follow([chain]);
    expect(await failureOf(clock.advance(1))).to.match(/time of old cannot be set/);
    stop();
    await clock.advance(1);
  });

  it("a chain that another process moved past the clock meanwhile: `advance` leaves it", async () => {
    const { store } = await kind.open();
    const clock = await openClock(() => 1_000, { store });
    const chain = chainAt("shared", (state) => {
      // The other process has mined a block an hour later.
      state.timestamp = "0xe10";
      throw new Error("Timestamp is lower than the previous block's timestamp");
    });
    const stop = clock.follow([chain]);
    expect((await clock.advance(1_000)).now).to.equal(2_000);
    stop();
  });
});
