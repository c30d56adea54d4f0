import { setImmediate } from "node:timers/promises";

/** Runs work of all sockets, a few at a time and with time for others in between. */
export type Turns = {
  /** Settles as the work does, once its turn has come. */
  take(work: () => Promise<void>): Promise<void>;
};

/** How many messages are dealt with at once: a pool of database connections is for the API, too. */
const lanes = 2;
/** After this many milliseconds of messages in a lane, everything else that waits has its turn. */
const sliceMs = 1;

/**
 * Shares the process between messages of sockets and everything else. Messages come many at once, out of one packet:
 * dealt with as they come, they would keep HTTP waiting until the last one.
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
