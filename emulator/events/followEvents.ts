import type { Context } from "../context/Context.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { EventRow, Store } from "../store/tables.ts";
import { wakeLoop } from "./wakeLoop.ts";

/** A running follower of the event log. */
export type EventFollower = {
  /** Lets `take` finish the current event, then stops. */
  stop(): Promise<void>;
};

type FollowEventsParameters = Pick<Context, "log" | "store"> & {
  readonly onCommit: OnCommit;
  /**
   * Takes each event written from now on, one at a time and in the order of the log. It must not wait for clients, because
   * one slow client would delay all others. If it rejects, it gets the same event again.
   */
  readonly take: (event: EventRow) => Promise<void>;
};

const batchSize = 500;
/** Pause before the log is read again after a failure, in milliseconds. */
const retryMs = 100;

/**
 * Follows the event log of all processes from its present end. The position is kept in memory: after each commit the
 * follower reads on from the last `seq` taken, so commits during a round are read together and none is missed. Relies
 * on the store to make events visible in the order of their `seq`.
 */
export async function followEvents({
  log,
  onCommit,
  store,
  take,
}: FollowEventsParameters): Promise<EventFollower> {
  let position: number | undefined;
  const loop = wakeLoop({
    onFailure: (cause) => log({ cause, level: "error", message: "the event log could not be read" }),
    retryMs,
    round: async () => {
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
          if (loop.isStopped) return;
          await take(event);
          position = event.seq;
        }
        count = events.length;
      }
    },
  });
  // The listener comes before the position: the wake-up below reads commits between the two.
  onCommit(() => {
    if (position !== undefined) loop.wake();
  });
  position = await lastEvent(store);
  loop.wake();
  return { stop: loop.stop };
}

/** Reads the `seq` of the newest event; 0 in an empty log. */
export async function lastEvent(store: Store, requestId?: string): Promise<number> {
  const newest = store.selectFrom("events").select((row) => row.fn.max("seq").as("seq"));
  const row = await (requestId === undefined
    ? newest
    : newest.where("request_id", "=", requestId)
  ).executeTakeFirst();
  return Number(row?.seq ?? 0);
}
