import { relative } from "node:path";
import type { TaskOverrideActionFunction } from "hardhat/types/tasks";
import { findTests } from "../test/findTests.ts";

/** Runs the named files, or all but those with packages of their own. */
const runTests: TaskOverrideActionFunction = (taskArguments, hre, runSuper) => {
  const named = taskArguments["testFiles"];
  if (Array.isArray(named) && named.length > 0) return runSuper(taskArguments);
  const { root, tests } = hre.config.paths;
  return runSuper({ ...taskArguments, testFiles: findTests(root, relative(root, tests.mocha)) });
};

export default runTests;
