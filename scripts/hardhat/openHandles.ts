import type { HardhatPlugin } from "hardhat/types/plugins";

/** Ends a test run with open handles by an error that lists them, instead of hanging. */
export const openHandles: HardhatPlugin = {
  id: "waybill:open-handles",
  npmPackage: "waybill",
  hookHandlers: { test: () => import("./openHandlesHooks.ts") },
};
