import type { Context } from "../context/Context.ts";
import { lastEvent } from "../events/followEvents.ts";
import { wakeLoop } from "../events/wakeLoop.ts";
import type { OnCommit } from "../store/dialect/observeCommits.ts";
import type { Store } from "../store/tables.ts";
import type { Activity } from "./Activity.ts";
import {
  type Positions,
  readControlActivity,
  readRequestActivity,
  readWebhookActivity,
} from "./readActivity.ts";

export type FollowActivityParameters = Pick<Context, "chains" | "exchange" | "log" | "store" | "svm"> & {
  readonly onCommit: OnCommit;
  /** Takes each activity from now on, in the order of its table. It must not throw. */
  readonly onActivity: (activity: Activity) => void;
};

/** Pause before the tables are read again after a failure, in milliseconds. */
const retryMs = 100;

/**
 * Reports quotes, deposits, fills, refunds, webhooks and faults of all processes of a database, by following its
 * tables. Webhooks and faults that several processes write at once may be missed; requests are not, because the event
 * log becomes visible in its order.
 */
export async function followActivity({
  log,
  onActivity,
  onCommit,
  store,
  ...places
}: FollowActivityParameters): Promise<() => Promise<void>> {
  const positions = await openPositions(store);
  const read = async () => {
    const rows = [
      ...(await readRequestActivity(store, places, positions)),
      ...(await readWebhookActivity(store, positions)),
      ...(await readControlActivity(store, positions)),
    ];
    for (const activity of rows.toSorted((one, other) => one.at - other.at)) onActivity(activity);
    return rows.length;
  };
  const loop = wakeLoop({
    onFailure: (cause) => log({ cause, level: "error", message: "the activity could not be read" }),
    retryMs,
    round: async () => {
      while ((await read()) > 0) if (loop.isStopped) return;
    },
  });
  onCommit(loop.wake);
  return async () => {
    await loop.stop();
    await read().catch(() => 0);
  };
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
