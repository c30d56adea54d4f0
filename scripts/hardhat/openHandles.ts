import type { HardhatPlugin } from "hardhat/types/plugins";

/** Ends a test run that forgot to close something, with an error that says what, instead of hanging for ever. */
export const openHandles: HardhatPlugin = {
  id: "waybill:open-handles",
  npmPackage: "waybill",
  hookHandlers: { test: () => import("./openHandlesHooks.ts") },
};
