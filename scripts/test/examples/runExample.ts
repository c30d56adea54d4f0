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
export const runExample = (folder: string, name: string): Promise<Run> =>
  runIn(join(folder, name), name, ["test"]);

async function runIn(folder: string, name: string, parameters: readonly string[]): Promise<Run> {
  try {
    return { failure: undefined, name, output: await runNpm(folder, parameters, TIME_LIMIT_MS) };
  } catch (error) {
    const { cause, message } = error as Error;
    return { failure: message, name, output: String(cause ?? "") };
  }
}

/** Name among the examples, and of the project's folder. */
export const TEMPLATE = "template";
/** The example whose installed packages the project uses. */
export const TEMPLATE_PACKAGES = "hardhat";

/** Creates a project by the installed command, as `npx waybill init` does, and runs its tests as they are. */
export async function runTemplate(folder: string): Promise<Run> {
  const created = await runIn(folder, TEMPLATE, ["exec", "--offline", "--", "waybill", "init", TEMPLATE]);
  if (created.failure !== undefined) return created;
  const run = await runExample(folder, TEMPLATE);
  // A run without tests passes too.
  if (run.failure === undefined && !/\b[1-9]\d* passing\b/.test(run.output)) {
    return { ...run, failure: "no test ran" };
  }
  return run;
}
