/**
 * `npm test`: every test, in lanes that use every core. These need only the contracts that the set-up built.
 *
 * With parameters it is `hardhat test` with these parameters.
 */
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./checks/runTool.ts";
import { type Lane, runLanes } from "./test/runLanes.ts";
import { splitTests } from "./test/splitTests.ts";

const hardhat: Lane["command"] = [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  join(root, "node_modules", "hardhat", "dist", "src", "cli.js"),
];
const hardhatTest: Lane["command"] = [...hardhat, "test"];

// More groups balance better; each costs three seconds of CPU time to load Hardhat and the helpers.
const groups = 10;
// Neither builds the contracts, so that no lane reads what the other writes; Solidity tests are built all the same. Their
// compiler has one thread and takes longest, so they start first. The unit tests, last in order, fill the gaps.
const everything = (): readonly Lane[] => [
  {
    name: "Solidity tests",
    command: [...hardhat, "--build-profile", "quick", "test", "solidity", "--no-compile"],
  },
  ...splitTests(root, groups).map(({ files, name }) => ({
    name,
    command: [...hardhatTest, "mocha", "--no-compile", ...files] as const,
  })),
];
const slots = availableParallelism();

// The lanes and the processes that tests start share compiled modules.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "waybill-compile-cache");

const parameters = process.argv.slice(2);
const isWhole = parameters.length === 0;
if (isWhole) console.log(`The lanes run ${slots} at a time, and report when they end.\n`);
process.exitCode = isWhole
  ? await runLanes(everything(), slots)
  : await runLanes([{ name: "tests", command: [...hardhatTest, ...parameters] }]);
