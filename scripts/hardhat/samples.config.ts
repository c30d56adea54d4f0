/** Compiles the Solidity blocks of the documents without an optimizer, and runs their tests. */
import { createRequire } from "node:module";
import { defineConfig } from "hardhat/config";
import { SOLIDITY_FOLDER } from "../checks/samples/testSolidity.ts";
import { strictWarnings } from "./strictWarnings.ts";

export default defineConfig({
  paths: {
    artifacts: `${SOLIDITY_FOLDER}/artifacts`,
    cache: `${SOLIDITY_FOLDER}/cache`,
    sources: `${SOLIDITY_FOLDER}/none`,
    tests: { solidity: `${SOLIDITY_FOLDER}/pages` },
  },
  plugins: [strictWarnings],
  solidity: {
    path: createRequire(import.meta.url).resolve("solc/soljson.js"),
    settings: { evmVersion: "cancun", optimizer: { enabled: false } },
    version: "0.8.37",
  },
});
