import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { installLibrary } from "./support/installLibrary.ts";

const run = promisify(execFile);
const TOOLBOX = "@nomicfoundation/hardhat-toolbox-mocha-ethers";
/** solc 0.8.28, under another name than this repository's own compiler. */
const COMPILER = "solc-transient";
const solver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A project with nothing of its own to compile for the modules, and one contract for a compiler of its own. */
const files: Readonly<Record<string, string>> = {
  "package.json": `{ "private": true, "type": "module" }`,
  "hardhat.config.js": `
import toolbox from "${TOOLBOX}";
import { defineConfig } from "hardhat/config";
import { salt } from "waybill/ignition/createX";

export default defineConfig({
  plugins: [toolbox],
  solidity: "0.8.28",
  ignition: { strategyConfig: { create2: { salt } } },
});`,
  "hardhat.compiler.js": `
import { createRequire } from "node:module";
import toolbox from "${TOOLBOX}";
import { defineConfig } from "hardhat/config";

const path = createRequire(import.meta.url).resolve("${COMPILER}/soljson.js");
export default defineConfig({ plugins: [toolbox], solidity: { version: "0.8.28", path } });`,
  "contracts/Shop.sol": `
// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";

contract Shop is PinnedReceiver {
    constructor(address solver) PinnedReceiver(solver, solver, Binding.Receiver, solver) {}
}`,
  "deployShop.js": `
import hre from "hardhat";

const { ethers } = await hre.network.create();
const shop = await ethers.deployContract("Shop", ["${solver}"]);
console.log(JSON.stringify({ solver: await shop.solver() }));`,
  "ignition/modules/Payments.js": `
import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import balanceProxy from "waybill/ignition/BalanceProxy";
import pinnedReceiver from "waybill/ignition/PinnedReceiver";

export default buildModule("Payments", (m) => ({ ...m.useModule(balanceProxy), ...m.useModule(pinnedReceiver) }));`,
  "deploy.js": `
import hre from "hardhat";
import { deployments, receiverAddress } from "waybill/abi";
import artifact from "waybill/artifacts/PinnedReceiver.json" with { type: "json" };
import local from "waybill/ignition/parameters/local.json" with { type: "json" };
import payments from "./ignition/modules/Payments.js";

const solver = "${solver}";
const parameters = { PinnedReceiver: { ...local.PinnedReceiver, solver } };
const { nativePayee, binding, refundPayee } = parameters.PinnedReceiver;
const { abi, bytecode } = artifact;
const named = receiverAddress({ abi, args: [solver, nativePayee, binding, refundPayee], bytecode });

const { ethers, ignition } = await hre.network.create();
const before = await ethers.provider.getCode(named);
const { balanceExecutor, pinnedReceiver } = await ignition.deploy(payments, { parameters, strategy: "create2" });
console.log(JSON.stringify({
  address: await pinnedReceiver.getAddress(),
  before,
  isProxyThere: (await ethers.provider.getCode(deployments.BalanceProxy)) !== "0x",
  isExecutorNamed: (await balanceExecutor.getAddress()) === deployments.BalanceExecutor,
  code: await ethers.provider.getCode(named),
  named,
  solver: await pinnedReceiver.solver(),
}));`,
};

describe("the packed Ignition modules in another project", () => {
  let project: string;
  before("packing and installing", async function () {
    this.timeout(120_000);
    project = await installLibrary(files, ["hardhat", TOOLBOX, COMPILER]);
  });

  after("removing the project", () => rmSync(dirname(project), { force: true, recursive: true }));

  /** Runs Hardhat in the project, and reads the last line that it prints. */
  async function hardhat(...flags: readonly string[]): Promise<Record<string, unknown>> {
    const cli = join(project, "node_modules", "hardhat", "dist", "src", "cli.js");
    const env = {
      ...process.env,
      HARDHAT_DISABLE_TELEMETRY: "true",
      XDG_CONFIG_HOME: join(project, "config"),
    };
    const { stdout } = await run(process.execPath, [cli, ...flags], { cwd: project, env });
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  }

  it("deploy a receiver that the project never compiled, to the address that receiverAddress names", async () => {
    const there = await hardhat("run", "--no-compile", "deploy.js");
    expect(there.code).to.have.length.greaterThan(1_000);
    expect(there).to.deep.include({ address: there.named, before: "0x", isExecutorNamed: true });
    expect(there).to.deep.include({ isProxyThere: true, solver });
  }).timeout(120_000);

  it("come with contracts that a project compiles with its own compiler, inherits from and deploys", async () => {
    const there = await hardhat("--config", "hardhat.compiler.js", "run", "deployShop.js");
    expect(there).to.deep.equal({ solver });
  }).timeout(120_000);
});
