import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import config from "../../hardhat.config.ts";
import { deployMissing } from "../../ignition/deployMissing.ts";
import { readParameters } from "../../ignition/parameters.ts";
import { deployments } from "../../src/abi/index.ts";
import { useFork } from "./support/useFork.ts";

/** Number of contracts of a run with all parameters. */
const all = 8;
/** Unlike public chains, a fork mines at once, and no block follows by itself. */
const fast = { blockPollingInterval: 10, requiredConfirmations: 1 };

describe("deployment to Ethereum", () => {
  const fork = useFork();
  let folder: string;
  let connection: NetworkConnection;

  before("connect Hardhat to the fork", async () => {
    folder = mkdtempSync(join(tmpdir(), "waybill-fork-deployment-"));
    const hre = await createHardhatRuntimeEnvironment({
      ...config,
      networks: {
        ethereum: { chainId: 1, chainType: "l1", type: "http", url: fork.ethereum.info.rpcUrl },
      },
      paths: { ignition: folder },
    });
    connection = await hre.network.create("ethereum");
  });
  after("remove the journals", async () => {
    await connection.close();
    rmSync(folder, { force: true, recursive: true });
  });

  it("Ignition deploys every receiver through CreateX, and finds them in a second run", async () => {
    const local = readParameters(new URL("../../ignition/parameters/local.json", import.meta.url));
    const solver = fork.emulator.info.solver;
    const order = {
      chainId: 1,
      chainName: "ethereum",
      depository: fork.ethereum.info.contracts.depository,
      refundPayee: solver,
      solver,
    } as const;
    const parameters = { ...local, OrderReceiver: order };
    const there = await deployMissing(connection, parameters, { config: fast });
    expect(Object.keys(there)).to.have.length(all);
    for (const [name, { address }] of Object.entries(there)) {
      expect(await fork.ethereum.reader.getCode({ address }), name).to.match(/^0x[0-9a-f]{200}/);
    }
    for (const name of ["BalanceProxy", "OutputGuard", "RecordVerifier"] as const) {
      expect(there[name].address, name).to.equal(deployments[name]);
    }
    const again = await deployMissing(connection, parameters, { config: fast });
    expect(Object.values(again).filter(({ isNew }) => isNew)).to.deep.equal([]);
  });
});
