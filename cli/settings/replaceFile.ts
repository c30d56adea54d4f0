import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file as a whole, on the disk before it returns: a crash leaves the old or the new content. Other users cannot read it.
 */
export function replaceFile(file: string, text: string): void {
  const next = `${file}.next`;
  // A file that was there before could be a link, or readable by others.
  rmSync(next, { force: true });
  const written = openSync(next, "wx", 0o600);
  try {
    // Writes on after a partial write: a disk that is almost full takes a part without an error.
    writeFileSync(written, text);
    fsyncSync(written);
  } finally {
    closeSync(written);
  }
  renameSync(next, file);
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
