import { overrideTask } from "hardhat/config";
import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Keeps what is below `test/browser` out of Hardhat's tests: it runs in a browser, with packages of its own, by
 * `npm run test:browser`. Without files to run, Hardhat would load every script below `test`, installed ones included.
 */
export const browserTests: HardhatPlugin = {
  id: "waybill:browser-tests",
  npmPackage: "waybill",
  tasks: [
    overrideTask(["test", "mocha"])
      .setAction(() => import("./browserTestsAction.ts"))
      .build(),
  ],
};
