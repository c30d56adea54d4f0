import { join } from "node:path";
import { runNpm } from "./runNpm.ts";

/** Outcome of an example. */
export type Run = {
  readonly name: string;
  /** Undefined if it passed. */
  readonly failure: string | undefined;
  readonly output: string;
};

const TIME_LIMIT_MS = 120_000;

/** Runs `npm test` of an example, which asserts its own output. */
export async function runExample(folder: string, name: string): Promise<Run> {
  try {
    const output = await runNpm(join(folder, name), ["test"], TIME_LIMIT_MS);
    return { failure: undefined, name, output };
  } catch (error) {
    const { cause, message } = error as Error;
    return { failure: message, name, output: String(cause ?? "") };
  }
}
