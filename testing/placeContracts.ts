import { createRequire } from "node:module";
import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  encodeDeployData,
  type Hex,
  type PublicClient,
  type Transport,
  toHex,
  type WalletClient,
} from "viem";
import { readArtifact } from "../emulator/chains/setup/placeContracts.ts";
import { deployments } from "../src/abi/deployments.ts";
import { type ReceiverAddressParameters, receiverAddress } from "../src/abi/receiverAddress.ts";

/** A chain, and the sender of constructors. */
type Place = {
  readonly reader: PublicClient;
  readonly wallet: WalletClient<Transport, Chain, Account>;
};

const require = createRequire(import.meta.url);
/** The executor comes with the proxy, whose constructor creates it. */
const placed = ["BalanceProxy", "ManagedReceiverLens", "OutputGuard", "RecordVerifier"] as const;

/** Places the contracts that have no constructor arguments at their addresses on public chains. */
export async function placeDeployments(place: Place): Promise<typeof deployments> {
  for (const name of placed) {
    const { bytecode } = require(`waybill/artifacts/${name}.json`) as { bytecode: Hex };
    await runConstructor(place, deployments[name], bytecode);
  }
  return deployments;
}

/** Places a receiver at the address that it has on public chains with these arguments. */
export async function placeReceiver<const abi extends Abi | readonly unknown[]>(
  place: Place,
  parameters: ReceiverAddressParameters<abi>,
): Promise<Address> {
  const address = receiverAddress(parameters);
  await runConstructor(place, address, encodeDeployData(parameters));
  return address;
}

/** Deploys an ERC-4626 vault. */
export async function deployVault({ reader, wallet }: Place, asset: Address): Promise<Address> {
  const { abi, bytecode } = readArtifact("service/currencies/LocalVault");
  const hash = await wallet.deployContract({ abi, args: [asset, "Local vault", "vLOCAL"], bytecode });
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("the vault was not deployed");
  return contractAddress;
}

/**
 * Runs a constructor at an address without the factory that the address is computed from: the creation code runs as the code
 * of the account, so that storage, immutables and created contracts are those of a deployment. Leaves an account with code as
 * it is.
 */
async function runConstructor({ reader, wallet }: Place, address: Address, initCode: Hex): Promise<void> {
  if ((await reader.getCode({ address })) !== undefined) return;
  const ask = (method: string, ...params: unknown[]) => reader.request({ method, params } as never);
  // A contract's first creation has nonce 1 (EIP-161).
  await ask("hardhat_setNonce", address, toHex(1));
  await ask("hardhat_setCode", address, initCode);
  try {
    const { data = "0x" } = await reader.call({ to: address });
    await reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to: address }) });
    await ask("hardhat_setCode", address, data);
  } catch (error) {
    // Otherwise the next call would take the creation code for a contract.
    await ask("hardhat_setCode", address, "0x");
    throw error;
  }
}
