import { type Run, runExample } from "./runExample.ts";
import { runNpm } from "./runNpm.ts";

/** Name among the examples, and of the project's folder. */
export const TEMPLATE = "template";
/** The example whose installed packages the project uses. */
export const TEMPLATE_PACKAGES = "hardhat";

/** Creates a project by the installed command, as `npx waybill init` does, and runs its tests as they are. */
export async function runTemplate(folder: string): Promise<Run> {
  try {
    await runNpm(folder, ["exec", "--offline", "--", "waybill", "init", TEMPLATE]);
  } catch (error) {
    const { cause, message } = error as Error;
    return { failure: message, name: TEMPLATE, output: String(cause ?? "") };
  }
  const run = await runExample(folder, TEMPLATE);
  // A run without tests passes too.
  if (run.failure === undefined && !/\b[1-9]\d* passing\b/.test(run.output)) {
    return { ...run, failure: "no test ran" };
  }
  return run;
}
