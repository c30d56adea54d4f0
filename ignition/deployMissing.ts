import type { IgnitionModule } from "@nomicfoundation/ignition-core";
import type { NetworkConnection } from "hardhat/types/network";
import { addressOf } from "./createX.ts";
import balanceProxy from "./modules/BalanceProxy.ts";
import pinnedReceiver from "./modules/PinnedReceiver.ts";
import recordVerifier from "./modules/RecordVerifier.ts";

/** Values of the modules' parameters, as the files in `ignition/parameters` hold them. */
export type DeploymentParameters = {
  readonly PinnedReceiver: {
    readonly solver: string;
    readonly nativePayee: string;
    readonly binding: number;
  };
};

/** Where a contract is now, and whether this run put it there. */
export type Deployment = { readonly address: `0x${string}`; readonly isNew: boolean };
export type DeployableName = "BalanceProxy" | "PinnedReceiver" | "RecordVerifier";
export type Deployments = Readonly<Record<DeployableName, Deployment>>;

type IgnitionOptions = Omit<
  NonNullable<Parameters<NetworkConnection["ignition"]["deploy"]>[1]>,
  "deploymentId" | "parameters" | "strategy" | "strategyConfig"
>;

/**
 * Deploys what is not yet there. Anybody can put these contracts at their addresses, and journals get lost: so what is
 * there is asked of the chain, not of a journal.
 *
 * @param connection The chain; it has the factory, or is the local chain 31337.
 * @param parameters What the receiver is fixed to.
 * @param options For Ignition: who sends, how long to wait.
 * @returns The addresses, the same on every chain for the same parameters.
 */
export async function deployMissing(
  connection: NetworkConnection,
  parameters: DeploymentParameters,
  options: IgnitionOptions = {},
): Promise<Deployments> {
  const { solver, nativePayee, binding } = parameters.PinnedReceiver;
  const { chainId } = await connection.ethers.provider.getNetwork();
  const deploy = async (module: IgnitionModule, name: DeployableName, args: readonly unknown[] = []) => {
    const factory = await connection.ethers.getContractFactory(name);
    const { data } = await factory.getDeployTransaction(...args);
    const address = addressOf(data as `0x${string}`);
    const isNew = (await connection.ethers.provider.getCode(address)) === "0x";
    if (isNew) {
      await connection.ignition.deploy(module, {
        ...options,
        // A journal holds one set of parameters, and a chain may get several receivers.
        deploymentId: `chain-${chainId}-${name}-${address}`,
        parameters,
        strategy: "create2",
      });
    }
    return { address, isNew };
  };
  return {
    BalanceProxy: await deploy(balanceProxy, "BalanceProxy"),
    PinnedReceiver: await deploy(pinnedReceiver, "PinnedReceiver", [solver, nativePayee, binding]),
    RecordVerifier: await deploy(recordVerifier, "RecordVerifier"),
  };
}
