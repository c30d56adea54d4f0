import type { TestHooks } from "hardhat/types/hooks";
import { stopAll } from "../WaybillConnection.ts";
import { expectNodeTests } from "./stopWithNodeTest.ts";

export default async (): Promise<Partial<TestHooks>> => ({
  onTestRunStart: async (context, id, next) => {
    if (id === "nodejs") expectNodeTests();
    return next(context, id);
  },
  onTestRunDone: async (context, id, next) => {
    await stopAll();
    return next(context, id);
  },
});
