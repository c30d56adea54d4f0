import type { TestHooks } from "hardhat/types/hooks";
import { stopAll } from "../WaybillConnection.ts";

export default async (): Promise<Partial<TestHooks>> => ({
  onTestRunDone: async (context, id, next) => {
    await stopAll();
    return next(context, id);
  },
});
