import { globSync } from "node:fs";
import { join, relative } from "node:path";
import type { TaskOverrideActionFunction } from "hardhat/types/tasks";

/** Folders of tests with packages of their own. */
const apart = ["browser", "fork"];

/** Runs the named files, or all but those with packages of their own. */
const runTests: TaskOverrideActionFunction = (taskArguments, hre, runSuper) => {
  const named = taskArguments["testFiles"];
  if (Array.isArray(named) && named.length > 0) return runSuper(taskArguments);
  const { root, tests } = hre.config.paths;
  const folder = relative(root, tests.mocha);
  const excluded = apart.map((name) => join(folder, name));
  const testFiles = globSync(join(folder, "**", "*.ts"), {
    cwd: root,
    exclude: (path) => excluded.includes(path),
  }).sort();
  return runSuper({ ...taskArguments, testFiles });
};

export default runTests;
