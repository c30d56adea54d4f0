import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { testChain } from "../../../testing/TestChain.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  createHardhatProject,
  type HardhatProject,
  type StartedTask,
} from "../../helpers/processes/hardhatProject.ts";

describe("hardhat waybill:emulator", () => {
  let project: HardhatProject;
  before("a project with the plugin", () => {
    project = createHardhatProject({ users: { chainId: 10, type: "edr-simulated" } });
  });
  after(() => project.remove());

  const started: StartedTask[] = [];
  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill("SIGKILL");
  });
  const start = (...flags: readonly string[]) => {
    const task = project.start("waybill:emulator", "--port", "0", ...flags);
    started.push(task);
    return task;
  };
  const ready = async ({ child, output }: StartedTask) => {
    while (!output().includes("Ready.")) {
      if (child.exitCode !== null) throw new Error(output());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it("serves the project's chain and its twin, writes --out for its owner alone, and ends with 0 at SIGINT", async () => {
    const out = join(project.folder, "emulator.json");
    const task = start("--out", out);
    await ready(task);
    const info = JSON.parse(readFileSync(out, "utf8")) as EmulatorInfo;
    expect(statSync(out).mode & 0o777).to.equal(0o600);
    expect(info.chains.map(({ id }) => id)).to.deep.equal([31338, 31337]);
    expect(task.output()).to.include(info.apiUrl).and.include(info.consoleUrl);
    expect((await fetch(`${info.apiUrl}/chains`)).status).to.equal(200);
    for (const chain of info.chains) expect(await testChain(chain).reader.getChainId()).to.equal(chain.id);
    task.child.kill("SIGINT");
    expect(await task.ended).to.equal(0);
    expect(await failureOf(fetch(info.apiUrl))).to.be.an("error");
  });

  it("takes --origin from the configuration, and refuses a network that it lacks", async () => {
    const out = join(project.folder, "origin.json");
    const task = start("--origin", "users", "--out", out);
    await ready(task);
    const info = JSON.parse(readFileSync(out, "utf8")) as EmulatorInfo;
    expect(info.chains.map(({ id }) => id)).to.deep.equal([10, 31337]);
    task.child.kill("SIGTERM");
    expect(await task.ended).to.equal(0);
    const missing = join(project.folder, "missing.json");
    const refused = start("--origin", "nowhere", "--out", missing);
    expect(await refused.ended).to.equal(1);
    expect(refused.output()).to.include('"nowhere"');
    expect(existsSync(missing)).to.equal(false);
  });
});
