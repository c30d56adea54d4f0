import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { BaseError } from "../src/errors/BaseError.ts";

/** Mode of a file that only its owner can read: it may hold keys. */
const ownerOnly = 0o600;

/** Writes the file of `--out`. It appears whole: a draft in the same folder is renamed. */
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
