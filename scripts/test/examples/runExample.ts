import { join } from "node:path";
import { runCommand } from "./runCommand.ts";

/** Outcome of an example. */
export type Run = {
  readonly name: string;
  /** Undefined if it passed. */
  readonly failure: string | undefined;
  readonly output: string;
};

/** Runs `npm test` of an example, which asserts its own output. */
export const runExample = (folder: string, name: string): Promise<Run> =>
  attempt(name, () => runCommand(join(folder, name), ["npm", "test"], { timeout: 120_000 }));

/** Turns an error of a command into a failure. */
export async function attempt(name: string, work: () => Promise<string>): Promise<Run> {
  try {
    return { failure: undefined, name, output: await work() };
  } catch (error) {
    const { cause, message } = error as Error;
    return { failure: message, name, output: String(cause ?? "") };
  }
}
