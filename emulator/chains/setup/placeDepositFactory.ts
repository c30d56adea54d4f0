import { encodeDeployData, parseEther } from "viem";
import type { LocalAccounts, LocalKey } from "../accounts.ts";
import type { RunningChain } from "../Chain.ts";
import { depositFactoryAddress } from "../depositAddresses.ts";
import { pendingNonce } from "../rpc.ts";
import { readArtifact } from "./artifacts.ts";
import type { SetupCall } from "./setupCalls.ts";

/** Gas money of the account that deploys the factory. */
const founderGas = parseEther("1");

/**
 * Deploys the factory of deposit addresses, unless its code exists. Its address follows from the founder's first nonce: if the
 * founder has used that for something else, the chain has no deposit addresses.
 */
export async function placeDepositFactory(
  { rpc }: RunningChain,
  accounts: LocalAccounts,
  send: (from: LocalKey, calls: readonly SetupCall[]) => Promise<void>,
): Promise<void> {
  const { deployer, founder, solver } = accounts;
  const address = depositFactoryAddress(accounts);
  if ((await rpc("eth_getCode", [address, "latest"])) !== "0x") return;
  if ((await pendingNonce(rpc, founder.account.address)) !== 0) return;
  const { abi, bytecode } = readArtifact("service/DepositAddressFactory");
  const data = encodeDeployData({ abi, args: [solver.account.address], bytecode });
  await send(deployer, [{ data: "0x", to: founder.account.address, value: founderGas }]);
  await send(founder, [{ data }]);
}
