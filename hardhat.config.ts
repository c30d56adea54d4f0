import { join } from "node:path";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { configVariable, defineConfig } from "hardhat/config";
import { salt } from "./ignition/createX.ts";
import { apartTests } from "./scripts/hardhat/apartTests.ts";
import { npmCompiler } from "./scripts/hardhat/npmCompiler.ts";
import { openHandles } from "./scripts/hardhat/openHandles.ts";
import { strictWarnings } from "./scripts/hardhat/strictWarnings.ts";

// Hardhat reads these after it has loaded the configuration.
process.env.HARDHAT_DISABLE_TELEMETRY ??= "true";
// Its keystore makes a folder whenever it is loaded: here, so that nothing is written outside the working folder.
process.env.XDG_CONFIG_HOME ??= join(import.meta.dirname, ".hardhat");

const isCoverage = process.argv.includes("--coverage") || process.env["HARDHAT_COVERAGE"] === "true";

const compiler = {
  version: "0.8.37",
  // The compiler is the npm package: nothing is downloaded when contracts are built.
  path: "node_modules/solc/soljson.js",
  settings: {
    viaIR: true,
    optimizer: { enabled: true, runs: 1_000_000 },
    evmVersion: "cancun",
    // The hash covers comments and file names; without it, only code changes a CREATE2 address.
    metadata: { bytecodeHash: "none" },
    // Beside what Hardhat asks for: the layouts that the tests hold against a snapshot.
    outputSelection: { "*": { "*": ["storageLayout", "transientStorageLayout"] } },
  },
};

/**
 * Compiles ten times sooner, for tests of what code does and for coverage, which counts its statements. Optimized code is tested as
 * it is deployed, by the TypeScript tests; `npx hardhat test solidity` runs the Solidity tests under the optimizer too.
 */
const quick = {
  compilers: [
    { ...compiler, settings: { ...compiler.settings, viaIR: false, optimizer: { enabled: false } } },
  ],
  overrides: {
    // Its code needs more stack than these settings leave.
    "contracts/examples/OrderGuard.sol": {
      ...compiler,
      settings: {
        ...compiler.settings,
        optimizer: {
          enabled: false,
          details: { yul: true, yulDetails: { stackAllocation: true, optimizerSteps: "u" } },
        },
      },
    },
  },
};

/** One run of an invariant: a sequence of this many calls, each of which the handler must survive. */
const campaign = { depth: 32, failOnRevert: true };

export default defineConfig({
  plugins: [hardhatToolboxMochaEthers, npmCompiler, strictWarnings, openHandles, apartTests],
  solidity: {
    // Ignition builds with the second profile, which would leave the settings out unless told them: other code, other
    // addresses than those that are tested.
    profiles: {
      default: isCoverage ? quick : compiler,
      production: { ...compiler, isolated: false },
      quick,
    },
    // Keeps test contracts out of artifacts/ and TypeChain, and lets the demo skip compiling them.
    splitTestsCompilation: true,
  },
  networks: {
    default: { type: "edr-simulated", chainType: "l1", chainId: 31_337, hardfork: "cancun" },
    // Where contracts are deployed to for real. The variables are read when this network is used, and then only.
    live: {
      type: "http",
      url: configVariable("WAYBILL_RPC_URL"),
      accounts: [configVariable("WAYBILL_DEPLOYER_KEY")],
    },
  },
  ignition: { strategyConfig: { create2: { salt } } },
  verify: { etherscan: { apiKey: configVariable("ETHERSCAN_API_KEY") } },
  paths: {
    tests: { mocha: "./test", solidity: "./test/solidity" },
    // Instrumented contracts stay apart from those that are deployed and measured.
    ...(isCoverage ? { artifacts: "./coverage/artifacts", cache: "./coverage/cache" } : {}),
  },
  test: {
    mocha: { timeout: 60_000, forbidOnly: true, forbidPending: true },
    solidity: {
      profiles: {
        default: { fuzz: { runs: 256 }, invariant: { ...campaign, runs: 256 } },
        coverage: { fuzz: { runs: 64 }, invariant: { ...campaign, runs: 8 } },
        deep: { fuzz: { runs: 1_000 }, invariant: { ...campaign, runs: 64 } },
        long: { fuzz: { runs: 100_000 }, invariant: { ...campaign, runs: 1_000 } },
      },
    },
  },
  // None is deployed; and adversaries that count their own memory or gas would not be themselves.
  coverage: { skipFiles: ["contracts/mocks/**", "contracts/service/**", "contracts/testing/**"] },
  typechain: { outDir: "./typechain-types" },
});
