import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

/** Writes a file so that nobody ever sees half of it: beside the target first, then renamed over it. */
export async function writeAtomically(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(draft, content);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
