import { verifyContract } from "@nomicfoundation/hardhat-verify/verify";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { Deployments } from "./deployMissing.ts";

const sources: Readonly<Record<keyof Deployments, string>> = {
  BalanceExecutor: "contracts/proxy/BalanceExecutor.sol",
  BalanceProxy: "contracts/proxy/BalanceProxy.sol",
  ManagedReceiver: "contracts/receiver/ManagedReceiver.sol",
  ManagedReceiverLens: "contracts/receiver/ManagedReceiverLens.sol",
  ManagedReceiverPermits: "contracts/receiver/ManagedReceiverPermits.sol",
  OrderReceiver: "contracts/receiver/OrderReceiver.sol",
  OrderReceiverPermits: "contracts/receiver/OrderReceiverPermits.sol",
  OutputGuard: "contracts/guard/OutputGuard.sol",
  PinnedReceiver: "contracts/receiver/PinnedReceiver.sol",
  PinnedReceiverPermits: "contracts/receiver/PinnedReceiverPermits.sol",
  RecordVerifier: "contracts/records/RecordVerifier.sol",
};

/**
 * Gives the sources of contracts to the block explorer, also of contracts that others deployed. Skips those it has.
 *
 * @param hre Names the network, and has the explorer's key in its configuration.
 * @param deployments What `deployMissing` returned.
 * @throws When the explorer refuses a source.
 */
export async function verify(hre: HardhatRuntimeEnvironment, deployments: Deployments): Promise<void> {
  for (const [name, { address, args }] of Object.entries(deployments)) {
    // Named, because a receiver's code can be that of another one with less in it.
    const contract = `${sources[name as keyof Deployments]}:${name}`;
    await verifyContract({ address, constructorArgs: [...args], contract }, hre);
  }
}
