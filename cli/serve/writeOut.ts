import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { BaseError } from "../../src/errors/BaseError.ts";

/** File mode that only the owner can read: the file may contain keys. */
const ownerOnly = 0o600;

/** Writes the file of `--out` atomically, by renaming a draft in the same folder. */
export async function writeOut(file: string, json: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(draft, json, { mode: ownerOnly });
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new BaseError(`${file} cannot be written.`, { cause, code: "OUT_NOT_WRITABLE" });
  }
}
