import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { defaultChains } from "../../emulator/chains/chainDefinitions.ts";
import { type RunningChain, startChain } from "../../emulator/chains/startChain.ts";
import config from "../../hardhat.config.ts";
import { addressOf, createX } from "../../ignition/createX.ts";
import { type DeploymentParameters, deployMissing } from "../../ignition/deployMissing.ts";
import recordVerifierModule from "../../ignition/modules/RecordVerifier.ts";

const parameters = readParameters("local.json");
/** Public chains do not mine at once; these do, and no block follows by itself. */
const fast = { blockPollingInterval: 10, requiredConfirmations: 1 };

function readParameters(name: string): DeploymentParameters {
  return JSON.parse(readFileSync(new URL(`../../ignition/parameters/${name}`, import.meta.url), "utf8"));
}

async function initCodeOf({ ethers }: NetworkConnection, name: string): Promise<`0x${string}`> {
  return (await ethers.getContractFactory(name)).bytecode as `0x${string}`;
}

describe("deployment to two chains", () => {
  const chains: RunningChain[] = [];
  const connections: NetworkConnection[] = [];
  let hre: HardhatRuntimeEnvironment;
  let folder: string;

  before("two chains, both with the factory, as public ones have it", async function () {
    this.timeout(60_000);
    folder = mkdtempSync(join(tmpdir(), "waybill-deployment-"));
    for (const definition of defaultChains) chains.push(await startChain(definition, "127.0.0.1", 0));
    hre = await createHardhatRuntimeEnvironment({
      ...config,
      // Journals go here: they tell one run what another has done.
      paths: { ignition: folder },
      networks: Object.fromEntries(
        chains.map(({ definition, rpcUrl }) => [
          definition.name,
          { type: "http", chainType: "l1", chainId: definition.id, url: rpcUrl } as const,
        ]),
      ),
    });
    for (const { definition } of chains) connections.push(await hre.network.create(definition.name));

    // Ignition brings the factory to chain 31337 alone, from the transaction that its author signed for every chain.
    const [alpha, beta] = both();
    await alpha.ignition.deploy(recordVerifierModule, { config: fast, strategy: "create2" });
    const code = await alpha.ethers.provider.getCode(createX);
    await beta.provider.request({ method: "hardhat_setCode", params: [createX, code] });
  });

  after("stopping the chains", async () => {
    for (const connection of connections) await connection.close();
    for (const chain of chains) await chain.close();
    rmSync(folder, { force: true, recursive: true });
  });

  function both(): readonly [NetworkConnection, NetworkConnection] {
    const [alpha, beta] = connections;
    if (!alpha || !beta) throw new Error("There are not two chains.");
    return [alpha, beta];
  }

  /** How many transactions the accounts that deploy have sent. */
  async function sentBy(connection: NetworkConnection): Promise<number> {
    const [first, second] = await connection.ethers.getSigners();
    if (!first || !second) throw new Error("The chain has too few accounts.");
    return (await first.getNonce()) + (await second.getNonce());
  }

  it("puts each contract at the address that is known beforehand, on both, whoever sends", async () => {
    const [alpha, beta] = both();
    const [, another] = await beta.ethers.getSigners();
    if (!another) throw new Error("The chain has too few accounts.");
    const onAlpha = await deployMissing(alpha, parameters, { config: fast });
    const onBeta = await deployMissing(beta, parameters, { config: fast, defaultSender: another.address });

    const address = addressOf(await initCodeOf(alpha, "BalanceProxy"));
    expect(onAlpha.BalanceProxy).to.deep.equal({ address, isNew: true });
    expect(onAlpha.RecordVerifier.isNew).to.equal(false);
    for (const name of ["BalanceProxy", "PinnedReceiver", "RecordVerifier"] as const) {
      expect(onBeta[name]).to.deep.equal({ address: onAlpha[name].address, isNew: true });
      const code = await alpha.ethers.provider.getCode(onAlpha[name].address);
      expect(code.length).to.be.greaterThan(2);
      expect(await beta.ethers.provider.getCode(onBeta[name].address)).to.equal(code);
    }
  });

  it("gives the proxy the same executor on both, and the receiver what the parameters say", async () => {
    const executors: string[] = [];
    for (const connection of both()) {
      const { ethers } = connection;
      const { BalanceProxy, PinnedReceiver } = await deployMissing(connection, parameters);
      const proxy = await ethers.getContractAt("BalanceProxy", BalanceProxy.address);
      const executor = await ethers.getContractAt("BalanceExecutor", await proxy.executor());
      expect(await executor.proxy()).to.equal(BalanceProxy.address);
      executors.push(await proxy.executor());

      const receiver = await ethers.getContractAt("PinnedReceiver", PinnedReceiver.address);
      expect(await receiver.solver()).to.equal(parameters.PinnedReceiver.solver);
      expect(await receiver.nativePayee()).to.equal(parameters.PinnedReceiver.nativePayee);
      expect(await receiver.binding()).to.equal(BigInt(parameters.PinnedReceiver.binding));
    }
    expect(new Set(executors).size).to.equal(1);
  });

  it("sends nothing when a module is run again with its journal", async () => {
    const [alpha] = both();
    const sent = await sentBy(alpha);
    const options = { config: fast, strategy: "create2" } as const;
    const { recordVerifier } = await alpha.ignition.deploy(recordVerifierModule, options);
    const address = addressOf(await initCodeOf(alpha, "RecordVerifier"));
    expect(await recordVerifier.getAddress()).to.equal(address);
    expect(await sentBy(alpha)).to.equal(sent);
  });

  it("sends nothing when it is run again without its journal", async () => {
    rmSync(join(folder, "deployments"), { recursive: true });
    for (const connection of both()) {
      const sent = await sentBy(connection);
      const deployments = await deployMissing(connection, parameters, { config: fast });
      expect(Object.values(deployments).map(({ isNew }) => isNew)).to.deep.equal([false, false, false]);
      expect(await sentBy(connection)).to.equal(sent);
    }
  });

  it("puts a receiver with other parameters somewhere else", async () => {
    const [alpha] = both();
    const first = await deployMissing(alpha, parameters);
    const bound = { PinnedReceiver: { ...parameters.PinnedReceiver, binding: 1 } };
    const second = await deployMissing(alpha, bound, { config: fast });
    expect(second.PinnedReceiver.isNew).to.equal(true);
    expect(second.PinnedReceiver.address).to.not.equal(first.PinnedReceiver.address);
    const receiver = await alpha.ethers.getContractAt("PinnedReceiver", second.PinnedReceiver.address);
    expect(await receiver.binding()).to.equal(1n);
  });

  it("refuses a chain without the factory, and sends nothing there", async () => {
    const [, beta] = both();
    const code = await beta.ethers.provider.getCode(createX);
    await beta.provider.request({ method: "hardhat_setCode", params: [createX, "0x"] });
    const sent = await sentBy(beta);
    const other = { PinnedReceiver: { ...parameters.PinnedReceiver, binding: 1 } };
    const error = await deployMissing(beta, other, { config: fast }).catch((reason: unknown) => reason);
    expect(String(error)).to.contain("CreateX");
    expect(await sentBy(beta)).to.equal(sent);
    await beta.provider.request({ method: "hardhat_setCode", params: [createX, code] });
  });

  it("has parameters for the service's own solver that the receiver accepts", async () => {
    const [alpha] = both();
    const production = readParameters("production.json");
    const { PinnedReceiver } = await deployMissing(alpha, production, { config: fast });
    const receiver = await alpha.ethers.getContractAt("PinnedReceiver", PinnedReceiver.address);
    expect(await receiver.solver()).to.equal("0xf70da97812CB96acDF810712Aa562db8dfA3dbEF");
  });
});
