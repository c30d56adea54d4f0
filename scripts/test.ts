/**
 * `npm test`: every test. The Solidity tests spend most of their time in the single-threaded compiler, so the TypeScript
 * tests run in parallel. These need only the contracts that the set-up built.
 *
 * With parameters it is `hardhat test` with these parameters.
 */
import { join } from "node:path";
import { root } from "./checks/runTool.ts";
import { type Lane, runLanes } from "./test/runLanes.ts";

const hardhatTest: Lane["command"] = [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  join(root, "node_modules", "hardhat", "dist", "src", "cli.js"),
  "test",
];
// Neither builds the contracts, so that no lane reads what the other writes; Solidity tests are built all the same.
const both: readonly Lane[] = [
  { name: "TypeScript tests", command: [...hardhatTest, "mocha", "--no-compile"] },
  { name: "Solidity tests", command: [...hardhatTest, "solidity", "--no-compile"] },
];

const parameters = process.argv.slice(2);
const isWhole = parameters.length === 0;
if (isWhole)
  console.log("The Solidity tests run beside the TypeScript tests and report when those have ended.\n");
process.exitCode = await runLanes(
  isWhole ? both : [{ name: "tests", command: [...hardhatTest, ...parameters] }],
);
