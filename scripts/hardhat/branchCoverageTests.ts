import type { TestHooks } from "hardhat/types/hooks";
import { currentCollector, saveCollected } from "../coverage/collecting.ts";

export default async (): Promise<Partial<TestHooks>> => ({
  async onTestRunStart(context, id, next) {
    await next(context, id);
    const collector = currentCollector();
    if (id !== "mocha" || collector === undefined) return;
    // The files are loaded, so these go to the root suite, and around every test.
    globalThis.beforeEach(function () {
      collector.begin(this.currentTest?.title ?? "");
    });
    globalThis.afterEach(() => collector.end());
  },
  async onTestRunDone(context, id, next) {
    await next(context, id);
    saveCollected(id);
  },
});
