import { globSync } from "node:fs";
import { join, relative } from "node:path";
import type { TaskOverrideActionFunction } from "hardhat/types/tasks";

/** Runs the named files, or all that are not for a browser. */
const runTests: TaskOverrideActionFunction = (taskArguments, hre, runSuper) => {
  const named = taskArguments["testFiles"];
  if (Array.isArray(named) && named.length > 0) return runSuper(taskArguments);
  const { root, tests } = hre.config.paths;
  const browser = join(relative(root, tests.mocha), "browser");
  const testFiles = globSync(join(relative(root, tests.mocha), "**", "*.ts"), {
    cwd: root,
    exclude: (path) => path === browser,
  }).sort();
  return runSuper({ ...taskArguments, testFiles });
};

export default runTests;
