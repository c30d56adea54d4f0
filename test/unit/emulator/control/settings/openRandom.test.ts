import { expect } from "chai";
import { freeRandom, seededRandom } from "../../../../../emulator/control/settings/openRandom.ts";

describe("random ids", () => {
  it("are 32 bytes of which none comes twice, however many are drawn", () => {
    const sources = [freeRandom(), freeRandom()];
    const ids = sources.flatMap(({ random32 }) => Array.from({ length: 500 }, () => random32()));
    for (const id of ids) expect(id).to.match(/^0x[0-9a-f]{64}$/);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).not.to.include(`0x${"00".repeat(32)}`);
  });

  it("follow from a seed and a run, and go on where they are told", () => {
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
