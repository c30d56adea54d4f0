import { expect } from "chai";
import { type WakeLoop, type WakeLoopParameters, wakeLoop } from "../../../../emulator/events/wakeLoop.ts";
import { pause } from "../support/waiting.ts";

describe("wakeLoop", () => {
  const loops: WakeLoop[] = [];
  afterEach(async () => {
    for (const loop of loops.splice(0)) await loop.stop();
  });

  /** Opens a loop whose rounds take as long as `work` does. */
  function open(work: (round: number) => Promise<void>, options: Partial<WakeLoopParameters> = {}) {
    const seen = { failures: [] as string[], parallel: 0, rounds: 0 };
    let under = 0;
    const loop = wakeLoop({
      onFailure: (cause) => seen.failures.push(String(cause)),
      round: async () => {
        seen.parallel = Math.max(seen.parallel, ++under);
        try {
          await work(++seen.rounds);
        } finally {
          under--;
        }
      },
      ...options,
    });
    loops.push(loop);
    return { loop, seen };
  }

  it("runs nothing before the first wake-up", async () => {
    const { seen } = open(async () => {});
    await pause(5);
    expect(seen.rounds).to.equal(0);
  });

  it("runs a round after the promises of the work that woke it, not among them", async () => {
    const order: string[] = [];
    const { loop } = open(async () => void order.push("round"));
    loop.wake();
    for (let index = 0; index < 100; index++) await Promise.resolve();
    order.push("work");
    await pause(5);
    expect(order).to.deep.equal(["work", "round"]);
  });

  it("runs one more round for any number of wake-ups during a round, never two rounds at once", async () => {
    const { loop, seen } = open(() => pause(10));
    loop.wake();
    await pause(2);
    for (let index = 0; index < 5; index++) loop.wake();
    await pause(50);
    expect(seen).to.deep.equal({ failures: [], parallel: 1, rounds: 2 });
  });

  it("runs a round for a wake-up at the end of the round before", async () => {
    const { loop, seen } = open(async (round) => {
      if (round < 100) void Promise.resolve().then(loop.wake);
    });
    loop.wake();
    await pause(30);
    expect(seen).to.deep.equal({ failures: [], parallel: 1, rounds: 100 });
  });

  it("rests after each round, then serves all wake-ups of the rest with one round", async () => {
    const { loop, seen } = open(async () => {}, { restMs: 40 });
    loop.wake();
    await pause(5);
    for (let index = 0; index < 5; index++) loop.wake();
    expect(seen.rounds).to.equal(1);
    await pause(100);
    expect(seen.rounds).to.equal(2);
  });

  it("repeats a failed round without a wake-up if `retryMs` is given", async () => {
    const work = async (round: number) => {
      if (round < 3) throw new Error(`round ${round}`);
    };
    const { loop, seen } = open(work, { retryMs: 1 });
    loop.wake();
    await pause(50);
    expect(seen).to.deep.equal({ failures: ["Error: round 1", "Error: round 2"], parallel: 1, rounds: 3 });
  });

  it("waits for the next wake-up after a failed round without `retryMs`", async () => {
    const { loop, seen } = open(async (round) => {
      if (round === 1) throw new Error("round 1");
    });
    loop.wake();
    await pause(20);
    expect(seen).to.deep.equal({ failures: ["Error: round 1"], parallel: 1, rounds: 1 });
    loop.wake();
    await pause(20);
    expect(seen.rounds).to.equal(2);
  });

  it("stops after the round under way and starts none for later wake-ups", async () => {
    let isFinished = false;
    const { loop, seen } = open(async () => {
      await pause(20);
      isFinished = true;
    });
    loop.wake();
    await pause(5);
    loop.wake();
    await loop.stop();
    expect(isFinished).to.equal(true);
    expect(loop.isStopped).to.equal(true);
    loop.wake();
    await pause(10);
    expect(seen.rounds).to.equal(1);
  });
});
