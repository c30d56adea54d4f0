import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import { readArtifact } from "../../../cli/deployments/readArtifact.ts";
import { deployments, receiverAddress } from "../../../src/abi/index.ts";
import { placeCreateX } from "../../helpers/contracts/placeCreateX.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { createHardhatProject, type HardhatProject } from "../../helpers/processes/hardhatProject.ts";

const solver: Address = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788";
const refundPayee: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const receiver = { binding: 0, nativePayee: solver, refundPayee, solver };

describe("hardhat waybill:deploy", () => {
  const fixture = useEmulator();
  const address = receiverAddress({
    ...readArtifact("PinnedReceiver"),
    args: [solver, solver, 0, refundPayee],
  });
  let project: HardhatProject;
  before("a project whose networks are the chain, with and without an account", async () => {
    const { accounts, rpcUrl: url } = fixture.alpha.info;
    await placeCreateX(fixture.alpha);
    const network = { type: "http", url };
    project = createHardhatProject({
      keyless: { ...network, accounts: [] },
      live: { ...network, accounts: [accounts[0]?.privateKey] },
      other: { type: "http", url: fixture.beta.info.rpcUrl },
      poor: { ...network, accounts: [`0x${"00".repeat(31)}01`] },
    });
    save("receiver.json", { PinnedReceiver: receiver });
    save("wrong.json", { PinnedReceiver: { ...receiver, solver: zeroAddress } });
  });
  after(() => project.remove());

  const save = (name: string, value: unknown) =>
    writeFileSync(join(project.folder, name), JSON.stringify(value));
  const deploy = async (network: string, ...flags: readonly string[]) => {
    const { ended, output } = project.start("waybill:deploy", "--network", network, ...flags);
    return { code: await ended, output: output() };
  };
  const code = (of: Address) => fixture.alpha.reader.getCode({ address: of });
  const sent = () => fixture.alpha.reader.getTransactionCount({ address: refundPayee });

  it("without --yes: prints address, arguments and cost, and sends nothing, with and without an account", async () => {
    const before = await sent();
    for (const [network, payer] of [
      ["live", refundPayee],
      ["keyless", "no key yet"],
    ] as const) {
      const ran = await deploy(network, "--parameters", "receiver.json");
      expect(ran.code, ran.output).to.equal(0);
      expect(ran.output).to.include(address).and.include(payer).and.include("Nothing was sent: pass --yes");
      expect(ran.output).to.match(/cost +0\.\d+ ether +\d+ wei/);
    }
    expect(await sent()).to.equal(before);
    expect(await code(address)).to.equal(undefined);
  });

  it("--yes: the receiver stands where the library says, and a second run sends nothing", async () => {
    const first = await deploy("live", "--parameters", "receiver.json", "--yes");
    expect(first.code, first.output).to.equal(0);
    expect(first.output).to.match(/Deployed by 0x[0-9a-f]{64}\./);
    expect(await code(address)).to.match(/^0x../);
    const before = await sent();
    const second = await deploy("live", "--parameters", "receiver.json", "--yes");
    expect(second.code, second.output).to.equal(0);
    expect(second.output).to.include("stands already. Nothing was sent.");
    expect(await sent()).to.equal(before);
  });

  it("--contract BalanceProxy: needs no parameters, and stands at its address of every chain", async () => {
    const { code: exit, output } = await deploy("live", "--contract", "BalanceProxy", "--yes");
    expect(exit, output).to.equal(0);
    for (const each of [deployments.BalanceProxy, deployments.BalanceExecutor]) {
      expect(await code(each)).to.match(/^0x../);
    }
  });

  const managed = ["--contract", "ManagedReceiver", "--parameters", "receiver.json"];
  const proxy = ["--contract", "BalanceProxy", "--yes"];
  const poor = { ...receiver, refundPayee: solver };
  const refusals: Readonly<Record<string, { args: readonly [string, ...string[]]; names: RegExp }>> = {
    "a chain without the factory": { args: ["other", ...proxy], names: /has no CreateX/ },
    "a contract without parameters": {
      args: ["live", ...managed],
      names: /parameters are of PinnedReceiver/,
    },
    "a file that is missing": { args: ["live", "--parameters", "none.json"], names: /cannot be read/ },
    "a network without an account": {
      args: ["keyless", "--parameters", "poor.json", "--yes"],
      names: /has no account/,
    },
    "a payer without money": {
      args: ["poor", "--parameters", "poor.json", "--yes"],
      names: /has 0 wei, and the deployment costs/,
    },
    "a fee above --max-fee": {
      args: ["live", "--parameters", "poor.json", "--max-fee", "0.0000001", "--yes"],
      names: /may cost 0\.\d+ ether, above 0\.0000001: --max-fee allows more/,
    },
    "a solver of zero": {
      args: ["live", "--parameters", "wrong.json", "--yes"],
      names: /PinnedReceiver\.solver: is the zero address/,
    },
  };
  for (const [title, { args, names }] of Object.entries(refusals)) {
    it(`refuses ${title}, and sends nothing`, async () => {
      save("poor.json", { PinnedReceiver: poor });
      const before = await sent();
      const ran = await deploy(...args);
      expect(ran.code, ran.output).to.equal(1);
      expect(ran.output).to.match(names).and.not.include("Sent 0x");
      expect(await sent()).to.equal(before);
    });
  }
});
