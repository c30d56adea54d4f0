import { AbortedError } from "../../../../src/errors/AbortedError.ts";
import type { Sleep } from "../../../../src/internal/sleep.ts";

type Timer = { readonly at: number; readonly fire: () => void };

/** Time that passes only when nothing else can happen. */
export class VirtualClock {
  readonly #start = 1_700_000_000_000;
  #time = this.#start;
  #timers: Timer[] = [];

  readonly now = (): number => this.#time;

  readonly sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      this.sleeping += 1;
      const abort = () => {
        this.sleeping -= 1;
        this.#timers = this.#timers.filter((other) => other !== timer);
        reject(new AbortedError({ operation: "waiting" }));
      };
      const timer = this.after(ms, () => {
        this.sleeping -= 1;
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      if (signal?.aborted === true) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });

  /** Milliseconds since the beginning. */
  get elapsed(): number {
    return this.#time - this.#start;
  }

  /** Number of pending sleeps. */
  sleeping = 0;

  after(ms: number, fire: () => void): Timer {
    const timer = { at: this.#time + ms, fire };
    this.#timers.push(timer);
    return timer;
  }

  /** Lets time pass until `work` settles, and everything that it set off has happened. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    work.then(settle, settle);
    for (let idle = 0; idle < 200; idle++) {
      await VirtualClock.settle();
      if (isSettled) return work;
      const [next] = this.#timers.toSorted((left, right) => left.at - right.at);
      // A module is being loaded, which takes real time.
      if (next === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      else {
        idle = 0;
        this.#timers = this.#timers.filter((timer) => timer !== next);
        this.#time = next.at;
        next.fire();
      }
    }
    throw new Error("nothing happens any more, and the work is not done");
  }

  /** Lets everything happen that needs no time. */
  static async settle(): Promise<void> {
    for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}
