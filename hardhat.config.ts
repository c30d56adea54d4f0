import { createRequire } from "node:module";
import { join } from "node:path";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { defineConfig } from "hardhat/config";
import { openHandles } from "./scripts/hardhat/openHandles.ts";
import { strictWarnings } from "./scripts/hardhat/strictWarnings.ts";

const require = createRequire(import.meta.url);

// Hardhat reads these after it has loaded the configuration.
process.env.HARDHAT_DISABLE_TELEMETRY ??= "true";
// Its keystore makes a folder whenever it is loaded: here, so that nothing is written outside the working folder.
process.env.XDG_CONFIG_HOME ??= join(import.meta.dirname, ".hardhat");

export default defineConfig({
  plugins: [hardhatToolboxMochaEthers, strictWarnings, openHandles],
  solidity: {
    version: "0.8.37",
    // The compiler is the npm package: nothing is downloaded when contracts are built.
    path: require.resolve("solc/soljson.js"),
    // Keeps test contracts out of artifacts/ and TypeChain, and lets the demo skip compiling them.
    splitTestsCompilation: true,
    settings: {
      viaIR: true,
      optimizer: { enabled: true, runs: 1_000_000 },
      evmVersion: "cancun",
    },
  },
  networks: {
    default: { type: "edr-simulated", chainType: "l1", chainId: 31_337, hardfork: "cancun" },
  },
  paths: { tests: { mocha: "./test", solidity: "./test/solidity" } },
  test: {
    mocha: { timeout: 60_000, forbidOnly: true, forbidPending: true },
    solidity: {
      profiles: {
        default: { fuzz: { runs: 256 } },
        deep: { fuzz: { runs: 5_000 } },
        long: { fuzz: { runs: 100_000 } },
      },
    },
  },
  typechain: { outDir: "./typechain-types" },
});
