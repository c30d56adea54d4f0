import type { TestHooks } from "hardhat/types/hooks";

const PATIENCE_MS = 10_000;

export default async (): Promise<Partial<TestHooks>> => ({
  async onTestRunDone(context, id, next) {
    await next(context, id);
    // Mocha is the last runner; the timer itself keeps nothing alive.
    if (id !== "mocha") return;
    setTimeout(() => {
      const resources = [...new Set(process.getActiveResourcesInfo())].join(", ");
      process.stderr.write(`The tests left something open (${resources}): close it in an after hook.\n`);
      process.exit(1);
    }, PATIENCE_MS).unref();
  },
});
