import { fileURLToPath } from "node:url";
import mocha from "@nomicfoundation/hardhat-mocha";
import viem from "@nomicfoundation/hardhat-viem";
import viemAssertions from "@nomicfoundation/hardhat-viem-assertions";
import waybill from "@waybill/hardhat";
import { defineConfig } from "hardhat/config";

export default defineConfig({
  plugins: [mocha, viem, viemAssertions, waybill],
  solidity: {
    // The compiler is an npm package, so that a build needs no download.
    path: fileURLToPath(import.meta.resolve("solc/soljson.js")),
    // Tests that pass a whole order need the IR pipeline under the optimizer.
    settings: { optimizer: { enabled: true, runs: 10_000 }, viaIR: true },
    version: "0.8.37",
  },
});
