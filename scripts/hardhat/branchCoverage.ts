import type { HardhatPlugin } from "hardhat/types/plugins";

/** Adds branch sides, and the tests that took them, to `--coverage`. Inactive without that option. */
export const branchCoverage: HardhatPlugin = {
  id: "waybill:branch-coverage",
  npmPackage: "waybill",
  hookHandlers: {
    hre: () => import("./branchCoverageStart.ts"),
    solidity: () => import("./branchCoverageSolidity.ts"),
    test: () => import("./branchCoverageTests.ts"),
  },
};
