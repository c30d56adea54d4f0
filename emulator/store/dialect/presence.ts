import type { Client } from "pg";

/** Milliseconds for which a terminated process may still hold its lock: the server notices the end late. */
const patienceMs = 1_000;
const pauseMs = 50;

/** A connection outside the pool. */
export type Connection = Pick<Client, "query">;

/** Marks a database as in use while the connection lasts. Waits for a process that empties it. */
export async function enter(connection: Connection): Promise<void> {
  await connection.query(`select pg_advisory_lock_shared(${presenceLock})`);
}

/** Runs work while no other process uses the database, then marks it as in use. Processes that start meanwhile wait. */
export async function enterAlone(connection: Connection, work: () => Promise<void>): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (!(await tryLock(connection))) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await work();
  // The shared lock is taken before the exclusive one is released.
  await enter(connection);
  await connection.query(`select pg_advisory_unlock(${presenceLock})`);
  return true;
}

async function tryLock(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${presenceLock}) as taken`,
  );
  return rows[0]?.taken === true;
}

/** Lock of a writing transaction: one at a time in a database, as in SQLite. */
export const writersLock = 7_290_011;

/** First key of the lock for deploying the service to a chain; the second key is the chain's. */
export const setupLock = 7_290_012;

/** Every process of a database holds this lock shared; a process that empties the database takes it exclusively. */
const presenceLock = 7_290_013;

/** Channel of commits with events. The message is the committer's `application_name`. */
export const eventsChannel = "waybill_events";

export const keysChannel = "waybill_keys";

export const settingsChannel = "waybill_settings";
