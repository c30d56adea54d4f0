import type { TestHooks } from "hardhat/types/hooks";
import { stopAll } from "../WaybillConnection.ts";

export default async (): Promise<Partial<TestHooks>> => ({
  onTestRunStart: async (context, id, next) => {
    // Hardhat runs tests of Node's runner in its own process, which has no sign of them. `startTestEmulator` looks for this one.
    if (id === "nodejs") Object.assign(globalThis, { [Symbol.for("waybill.nodeTests")]: true });
    return next(context, id);
  },
  onTestRunDone: async (context, id, next) => {
    await stopAll();
    return next(context, id);
  },
});
