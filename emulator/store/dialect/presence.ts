import type { Client } from "pg";
import { presenceLock } from "./postgresNames.ts";

/** How long a process that ended may still hold its lock, in milliseconds: its server notices the end a moment later. */
const patienceMs = 1_000;
const pauseMs = 50;

/** A connection that belongs to one process alone. */
export type Connection = Pick<Client, "query">;

/** Marks a database as in use for as long as the connection lasts; waits for a process that empties it. */
export async function enter(connection: Connection): Promise<void> {
  await connection.query(`select pg_advisory_lock_shared(${presenceLock})`);
}

/**
 * Does work on a database that no other process uses, and marks it as in use then. Others that start meanwhile wait.
 *
 * @returns Whether it was done: it is not while another process uses the database.
 */
export async function enterAlone(connection: Connection, work: () => Promise<void>): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (!(await tryLock(connection))) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await work();
  // No other process can be alone in between.
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
