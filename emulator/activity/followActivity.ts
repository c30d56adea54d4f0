import { setImmediate, setTimeout } from "node:timers/promises";
import type { Context } from "../context/Context.ts";
import { lastEvent } from "../events/followEvents.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { Store } from "../store/tables.ts";
import type { Activity } from "./Activity.ts";
import {
  type Positions,
  readControlActivity,
  readRequestActivity,
  readWebhookActivity,
} from "./readActivity.ts";

/** Activities in the order of their time, and the position after them. */
export type ActivityBatch = { readonly after: string; readonly activities: readonly Activity[] };

/**
 * Quotes, deposits, fills, refunds, webhooks and faults of all processes of a database, read from its tables. Webhooks and
 * faults that several processes write at once may be missed; requests are not, because the event log becomes visible in its order.
 */
export type ActivityFeed = {
  /** Returns a position to begin at: the present end, or an earlier one. */
  begin(after?: string): Promise<string>;
  /** Reads what follows a position, and waits for it: until the signal, or for `quietMs`. */
  next(after: string, until: FeedLimits): Promise<ActivityBatch>;
};

type FeedLimits = { readonly signal: AbortSignal; readonly quietMs?: number | undefined };

/** A position: the last event, post of a webhook, and entry of the control log. */
export const positionPattern = /^\d{1,15}\.\d{1,15}\.\d{1,15}$/;

export function openActivityFeed({
  onCommit,
  store,
  ...places
}: Pick<Context, "chains" | "exchange" | "store" | "svm"> & { readonly onCommit: OnCommit }): ActivityFeed {
  let commit = Promise.withResolvers<void>();
  onCommit(() => {
    commit.resolve();
    commit = Promise.withResolvers();
  });
  return {
    begin: async (after) => {
      const end = await openPositions(store);
      if (after === undefined) return formatPositions(end);
      const { attempt, control, event } = parsePositions(after);
      return formatPositions({
        attempt: Math.min(attempt, end.attempt),
        control: Math.min(control, end.control),
        event: Math.min(event, end.event),
      });
    },
    next: async (after, { quietMs = 2_147_483_647, signal }) => {
      const positions = parsePositions(after);
      const rest = new AbortController();
      const quiet = setTimeout(quietMs, true, { ref: false, signal: AbortSignal.any([signal, rest.signal]) });
      const over = quiet.catch(() => true);
      try {
        for (let isOver: unknown = signal.aborted; ; ) {
          // Taken before the read, so that no commit between the two is missed.
          const { promise } = commit;
          const activities = [
            ...(await readRequestActivity(store, places, positions)),
            ...(await readWebhookActivity(store, positions)),
            ...(await readControlActivity(store, positions)),
          ].toSorted((one, other) => one.at - other.at);
          if (activities.length > 0 || isOver) return { activities, after: formatPositions(positions) };
          isOver = signal.aborted || (await Promise.race([promise, over]));
          // Reads after the work that committed, which may be about to send a payment.
          await setImmediate();
        }
      } finally {
        rest.abort();
      }
    },
  };
}

/** Pause before the tables are read again after a failure, in milliseconds. */
const retryMs = 100;

type FollowActivityParameters = Pick<Context, "log"> & {
  readonly feed: ActivityFeed;
  /** Takes each activity from now on. It must not throw. */
  readonly onActivity: (activity: Activity) => void;
};

/** Reports the activities of a feed. The returned function reports what was committed so far, and ends. */
export async function followActivity({
  feed,
  log,
  onActivity,
}: FollowActivityParameters): Promise<() => Promise<void>> {
  const end = new AbortController();
  let after = await feed.begin();
  const follow = async () => {
    for (let isLast = false; !isLast; ) {
      isLast = end.signal.aborted;
      try {
        const batch = await feed.next(after, end);
        after = batch.after;
        for (const activity of batch.activities) onActivity(activity);
      } catch (cause) {
        log({ cause, level: "error", message: "the activity could not be read" });
        await setTimeout(retryMs);
      }
    }
  };
  const following = follow();
  return async () => {
    end.abort();
    await following;
  };
}

function parsePositions(after: string): Positions {
  const [event = 0, attempt = 0, control = 0] = after.split(".").map(Number);
  return { attempt, control, event };
}

function formatPositions({ attempt, control, event }: Positions): string {
  return `${event}.${attempt}.${control}`;
}

async function openPositions(store: Store): Promise<Positions> {
  const attempt = await store
    .selectFrom("webhook_attempts")
    .select((row) => row.fn.max("id").as("last"))
    .executeTakeFirst();
  const control = await store
    .selectFrom("control_log")
    .select((row) => row.fn.max("seq").as("last"))
    .executeTakeFirst();
  return {
    attempt: Number(attempt?.last ?? 0),
    control: Number(control?.last ?? 0),
    event: await lastEvent(store),
  };
}
