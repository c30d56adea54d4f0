import { BaseError } from "../src/errors/BaseError.ts";
import { writeAtomically } from "./writeAtomically.ts";

/** Writes what `--out` asks for. */
export async function writeOut(file: string, json: string): Promise<void> {
  try {
    await writeAtomically(file, json);
  } catch (cause) {
    throw new BaseError(`${file} cannot be written.`, { cause, code: "OUT_NOT_WRITABLE" });
  }
}
