import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { buildPackage } from "../scripts/checks/package/buildPackage.ts";
import { installPackage, packPackage } from "../scripts/checks/package/installPackage.ts";
import type { Manifest } from "../scripts/checks/packageExports.ts";
import { root } from "../scripts/checks/runTool.ts";

const run = promisify(execFile);
const TOOLBOX = "@nomicfoundation/hardhat-toolbox-mocha-ethers";
const solver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A project with nothing of its own to compile. */
const files: Readonly<Record<string, string>> = {
  "hardhat.config.js": `
import toolbox from "${TOOLBOX}";
import { defineConfig } from "hardhat/config";
import { salt } from "waybill/ignition/createX";

export default defineConfig({
  plugins: [toolbox],
  solidity: "0.8.28",
  ignition: { strategyConfig: { create2: { salt } } },
});`,
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
  let folder: string;
  before("packing and installing", async function () {
    this.timeout(120_000);
    // Outside of the repository, whose own packages would stand in for those that the manifest forgets.
    folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-ignition-")));
    const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const built = join(folder, "built");
    const { ok, output } = await buildPackage(built, manifest.files);
    expect(ok, output).to.equal(true);
    const tarball = await packPackage(built);
    const dependencies = { ...manifest.dependencies, [TOOLBOX]: "*" };
    await installPackage(project(), tarball, { ...manifest, dependencies });
    writeFileSync(join(project(), "package.json"), JSON.stringify({ private: true, type: "module" }));
    mkdirSync(join(project(), "ignition", "modules"), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(project(), path), text);
  });

  after("removing the project", () => rmSync(folder, { force: true, recursive: true }));

  function project(): string {
    return join(folder, "project");
  }

  it("deploy a receiver that the project never compiled, to the address that receiverAddress names", async () => {
    const cli = join(project(), "node_modules", "hardhat", "dist", "src", "cli.js");
    const env = {
      ...process.env,
      HARDHAT_DISABLE_TELEMETRY: "true",
      XDG_CONFIG_HOME: join(folder, "config"),
    };
    const { stdout } = await run(process.execPath, [cli, "run", "--no-compile", "deploy.js"], {
      cwd: project(),
      env,
    });
    const there = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    expect(there.before).to.equal("0x");
    expect(there.address).to.equal(there.named);
    expect(there.code.length).to.be.greaterThan(1_000);
    expect(there.solver).to.equal(solver);
    expect(there).to.deep.include({ isExecutorNamed: true, isProxyThere: true });
  }).timeout(120_000);
});
