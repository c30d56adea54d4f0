import type { IgnitionModule } from "@nomicfoundation/ignition-core";
import type { NetworkConnection } from "hardhat/types/network";
import { getContractAddress } from "viem";
import { constructorArguments } from "../src/deployment/constructorArguments.ts";
import type { DeploymentParameters, ReceiverName } from "../src/deployment/parameters.ts";
import { artifactOf } from "./artifactOf.ts";
import { addressOf } from "./createX.ts";
import balanceProxy from "./modules/BalanceProxy.ts";
import managedReceiver from "./modules/ManagedReceiver.ts";
import managedReceiverLens from "./modules/ManagedReceiverLens.ts";
import orderReceiver from "./modules/OrderReceiver.ts";
import outputGuard from "./modules/OutputGuard.ts";
import pinnedReceiver from "./modules/PinnedReceiver.ts";
import recordVerifier from "./modules/RecordVerifier.ts";
import { parseParameters } from "./parameters.ts";

/** Address of a contract, and whether this run deployed it. */
export type Deployment = {
  readonly address: `0x${string}`;
  /** Constructor arguments, which source verification needs. */
  readonly args: readonly unknown[];
  readonly isNew: boolean;
};
/** A contract without parameters: one address on every chain. */
export type CommonName =
  | "BalanceExecutor"
  | "BalanceProxy"
  | "ManagedReceiverLens"
  | "OutputGuard"
  | "RecordVerifier";
export type Deployments = Readonly<
  Record<CommonName, Deployment> & Partial<Record<ReceiverName, Deployment>>
>;

type IgnitionOptions = Omit<
  NonNullable<Parameters<NetworkConnection["ignition"]["deploy"]>[1]>,
  "deploymentId" | "parameters" | "strategy" | "strategyConfig"
>;

const receiverModules: Readonly<Record<ReceiverName, IgnitionModule>> = {
  ManagedReceiver: managedReceiver,
  OrderReceiver: orderReceiver,
  PinnedReceiver: pinnedReceiver,
};

/**
 * Deploys the missing contracts: those without parameters, and each receiver with parameters. Reads the chain, not a journal:
 * anyone can deploy these contracts to their addresses, and journals get lost.
 *
 * @param connection A chain with the factory, or the local chain 31337.
 * @param parameters Constructor parameters of the receivers.
 * @param options Sender and timeouts, for Ignition.
 * @returns The addresses, the same on every chain for the same parameters.
 * @throws {Error} Before any transaction, for invalid parameters, or those of another chain.
 */
export async function deployMissing(
  connection: NetworkConnection,
  parameters: DeploymentParameters,
  options: IgnitionOptions = {},
): Promise<Deployments> {
  const checked = parseParameters(parameters);
  const { provider } = connection.ethers;
  const { chainId } = await provider.getNetwork();
  await checkChain(connection, chainId, checked);

  const deploy = async (module: IgnitionModule, name: string, args: readonly unknown[] = []) => {
    const factory = await connection.ethers.getContractFactoryFromArtifact(artifactOf(name));
    const { data } = await factory.getDeployTransaction(...args);
    const address = addressOf(data as `0x${string}`);
    const isNew = (await provider.getCode(address)) === "0x";
    if (isNew) {
      await connection.ignition.deploy(module, {
        ...options,
        // A journal has one set of parameters, but a chain may get several receivers.
        deploymentId: `chain-${chainId}-${name}-${address}`,
        parameters: checked,
        strategy: "create2",
      });
    }
    return { address, args, isNew };
  };

  const proxy = await deploy(balanceProxy, "BalanceProxy");
  const common = {
    // The first contract that the proxy's constructor creates.
    BalanceExecutor: { ...proxy, address: getContractAddress({ from: proxy.address, nonce: 1n }) },
    BalanceProxy: proxy,
    ManagedReceiverLens: await deploy(managedReceiverLens, "ManagedReceiverLens"),
    OutputGuard: await deploy(outputGuard, "OutputGuard"),
    RecordVerifier: await deploy(recordVerifier, "RecordVerifier"),
  };
  const receivers: Partial<Record<ReceiverName, Deployment>> = {};
  for (const [name, args] of Object.entries(constructorArguments(checked))) {
    receivers[name as ReceiverName] = await deploy(receiverModules[name as ReceiverName], name, args);
  }
  return { ...common, ...receivers };
}

/** On another chain, an order receiver would accept payments of orders that no solver fills. */
async function checkChain(
  { ethers }: NetworkConnection,
  chainId: bigint,
  { OrderReceiver: order }: DeploymentParameters,
): Promise<void> {
  if (order === undefined) return;
  if (BigInt(order.chainId) !== chainId) {
    throw new Error(`OrderReceiver.chainId is ${order.chainId}, and this is chain ${chainId}.`);
  }
  if ((await ethers.provider.getCode(order.depository)) === "0x") {
    throw new Error(`OrderReceiver.depository, ${order.depository}, has no code on chain ${chainId}.`);
  }
}
