import { verifyContract } from "@nomicfoundation/hardhat-verify/verify";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { Deployments } from "./deployMissing.ts";

const sources: Readonly<Record<keyof Deployments, string>> = {
  BalanceExecutor: "contracts/proxy/BalanceExecutor.sol",
  BalanceProxy: "contracts/proxy/BalanceProxy.sol",
  ManagedReceiver: "contracts/receiver/ManagedReceiver.sol",
  ManagedReceiverLens: "contracts/receiver/ManagedReceiverLens.sol",
  OrderReceiver: "contracts/receiver/OrderReceiver.sol",
  OutputGuard: "contracts/guard/OutputGuard.sol",
  PinnedReceiver: "contracts/receiver/PinnedReceiver.sol",
  RecordVerifier: "contracts/records/RecordVerifier.sol",
};

/**
 * Verifies sources at the block explorer, also of contracts that others deployed. Skips verified ones.
 *
 * @param hre Selects the network; its configuration contains the explorer's key.
 * @param deployments Return value of `deployMissing`.
 * @throws When the explorer rejects a source.
 */
export async function verify(hre: HardhatRuntimeEnvironment, deployments: Deployments): Promise<void> {
  for (const [name, { address, args }] of Object.entries(deployments)) {
    // Passed explicitly, because the code of two receivers can match.
    const contract = `${sources[name as keyof Deployments]}:${name}`;
    await verifyContract({ address, constructorArgs: [...args], contract }, hre);
  }
}
