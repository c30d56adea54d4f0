import { basename, dirname, join } from "node:path";
import { loadSqlite } from "../../emulator/store/dialect/sqlite.ts";
import { checkFailed, usageError } from "../terminal/CommandError.ts";

/**
 * Locks an execution against other processes of this machine. The operating system frees the lock when the process ends, after
 * a kill too: it is SQLite's lock on an empty file.
 *
 * @returns Frees the lock. The empty file stays: a process that waits for a removed file would hold a lock of its own.
 * @throws CommandError while another process has the lock.
 */
export function lockFile(file: string): () => void {
  const { DatabaseSync } = loadSqlite();
  let database: InstanceType<typeof DatabaseSync>;
  try {
    database = new DatabaseSync(join(dirname(file), `.${basename(file)}.lock`), { timeout: 0 });
  } catch (cause) {
    throw usageError(`${file} cannot be written.`, cause);
  }
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch {
    database.close();
    throw checkFailed(`Another process executes ${file} now.`, "EXECUTION_LOCKED");
  }
  return () => database.close();
}
