import { overrideTask } from "hardhat/config";
import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Keeps what is below `test/browser` and `test/fork` out of Hardhat's tests: it needs packages of its own, which
 * `npm run test:browser` and `npm run test:fork` install. Without files to run, Hardhat would load every script below `test`,
 * installed ones included.
 */
export const apartTests: HardhatPlugin = {
  id: "waybill:apart-tests",
  npmPackage: "waybill",
  tasks: [
    overrideTask(["test", "mocha"])
      .setAction(() => import("./apartTestsAction.ts"))
      .build(),
  ],
};
