import { setImmediate } from "node:timers/promises";

/** Runs the work of all sockets with bounded concurrency. */
export type Turns = {
  /** Queues `work`; settles as `work` does. */
  take(work: () => Promise<void>): Promise<void>;
};

/** A lane yields to the event loop after so many milliseconds. */
const sliceMs = 1;

/**
 * Shares the event loop between socket messages and HTTP. One packet may hold thousands of messages; processed at once, they
 * would block HTTP until the last one.
 */
export function takeTurns(): Turns {
  // Two messages at once: the API needs connections of the same pool.
  let [lane, other] = [createLane(), createLane()];
  return {
    take: (work) => {
      [lane, other] = [other, lane];
      return lane(work);
    },
  };
}

/** A chain of promises: an array of 100,000 messages would move all of them for each one that leaves it. */
function createLane(): Turns["take"] {
  let begin = 0;
  let last = Promise.resolve();
  const rest = async () => {
    if (performance.now() - begin < sliceMs) return;
    await setImmediate();
    begin = performance.now();
  };
  return (work) => {
    const done = last.then(work);
    last = done.then(rest, rest);
    return done;
  };
}
