import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Adds the sides of branches to what `--coverage` collects, and which test took each; without that option it does
 * nothing.
 */
export const branchCoverage: HardhatPlugin = {
  id: "waybill:branch-coverage",
  npmPackage: "waybill",
  hookHandlers: {
    hre: () => import("./branchCoverageStart.ts"),
    solidity: () => import("./branchCoverageSolidity.ts"),
    test: () => import("./branchCoverageTests.ts"),
  },
};
