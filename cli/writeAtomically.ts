import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

/** Mode of a file that only its owner reads: what is written may hold keys. */
const ownerOnly = 0o600;

/** Writes a file of its owner's, which appears whole: beside the target first, then renamed over it. */
export async function writeAtomically(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(draft, content, { mode: ownerOnly });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
