import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Turns every compiler warning about Waybill's own Solidity into a build error, and drops the warnings about
 * packages, which cannot be fixed here.
 */
export const strictWarnings: HardhatPlugin = {
  id: "waybill:strict-warnings",
  npmPackage: "waybill",
  hookHandlers: { solidity: () => import("./strictWarningsHooks.ts") },
};
