import { expect } from "chai";
import { freeRandom, nextRun, seededRandom } from "../../../../../emulator/control/settings/openRandom.ts";
import { forEachStore } from "../../../../helpers/processes/stores.ts";

describe("freeRandom and seededRandom", () => {
  it("two free sources: draw 500 different values of 32 bytes each", () => {
    const sources = [freeRandom(), freeRandom()];
    const ids = sources.flatMap(({ random32 }) => Array.from({ length: 500 }, () => random32()));
    for (const id of ids) expect(id).to.match(/^0x[0-9a-f]{64}$/);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).not.to.include(`0x${"00".repeat(32)}`);
  });

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
