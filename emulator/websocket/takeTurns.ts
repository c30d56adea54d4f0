import { setImmediate } from "node:timers/promises";

/** Runs the work of all sockets with bounded concurrency. */
export type Turns = {
  /** Queues `work`; settles as `work` does. */
  take(work: () => Promise<void>): Promise<void>;
};

/** Messages processed at once. The API needs connections of the same pool. */
const lanes = 2;
/** A lane yields to the event loop after so many milliseconds. */
const sliceMs = 1;

/**
 * Shares the event loop between socket messages and HTTP. One packet may hold thousands of messages; processed at once, they
 * would block HTTP until the last one.
 */
export function takeTurns(): Turns {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const run = async () => {
    running++;
    let begin = performance.now();
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      await work();
      if (performance.now() - begin < sliceMs) continue;
      await setImmediate();
      begin = performance.now();
    }
    running--;
  };
  return {
    take: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(() => work().then(resolve, reject));
        if (running < lanes) void run();
      }),
  };
}
