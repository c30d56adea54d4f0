import type { Context } from "../context/Context.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { EventRow } from "../store/tables.ts";

/** One reader of the event log at work. */
export type EventFeed = {
  /** Lets the event under way be taken, then stops. */
  stop(): Promise<void>;
};

export type StartEventFeedParameters = Pick<Context, "log" | "store"> & {
  readonly onCommit: OnCommit;
  /**
   * Told of every event that is written from now on, one after the other, in the order of the log. It must not wait for
   * its own clients: they would hold up one another. When it rejects it is told of the same event again.
   */
  readonly take: (event: EventRow) => Promise<void>;
};

const batchSize = 500;
/** How long to wait before the log is read again after that failed, in milliseconds. */
const retryMs = 100;

/**
 * Follows the event log. It remembers the last `seq` that was taken and reads on from there after each commit, so that
 * commits that come while it is busy are seen together, and none is missed.
 *
 * Relies on events becoming visible in the order of their `seq`, which the store sees to.
 */
export async function startEventFeed(parameters: StartEventFeedParameters): Promise<EventFeed> {
  const { log, onCommit, store, take } = parameters;
  let position: number | undefined;
  let isStale = false;
  let isRunning = false;
  let isStopped = false;
  let running = Promise.resolve();

  const readOn = async () => {
    let count = batchSize;
    while (count === batchSize) {
      const events = await store
        .selectFrom("events")
        .selectAll()
        .where("seq", ">", position ?? 0)
        .orderBy("seq")
        .limit(batchSize)
        .execute();
      for (const event of events) {
        if (isStopped) return;
        await take(event);
        position = event.seq;
      }
      count = events.length;
    }
  };
  const run = async () => {
    while (isStale && !isStopped) {
      isStale = false;
      try {
        await readOn();
      } catch (cause) {
        log({ cause, level: "error", message: "the event log could not be followed" });
        isStale = true;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    // Nothing may come between the look at `isStale` and this: a commit in between would find nobody to read it.
    isRunning = false;
  };
  const poke = () => {
    isStale = true;
    if (position === undefined || isRunning || isStopped) return;
    isRunning = true;
    running = run();
  };

  // First the listener, then the position: what is committed in between is read by the poke that follows.
  onCommit(poke);
  const last = await store
    .selectFrom("events")
    .select((row) => row.fn.max("seq").as("seq"))
    .executeTakeFirst();
  position = Number(last?.seq ?? 0);
  poke();
  return {
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
