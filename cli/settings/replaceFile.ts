import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file as a whole, on the disk before it returns: a crash leaves the old or the new content. Other users cannot read it.
 */
export function replaceFile(file: string, text: string): void {
  // Two processes may continue one run at once. A file that was there before could be a link, or readable by others.
  const next = `${file}.${randomUUID()}.next`;
  try {
    // The option writes on after a partial write: a disk that is almost full takes a part without an error.
    writeFileSync(next, text, { flag: "wx", flush: true, mode: 0o600 });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
