import {
  type Address,
  decodeDeployData,
  decodeFunctionData,
  encodeDeployData,
  type Hex,
  isAddressEqual,
  type PublicClient,
  pad,
  toEventSelector,
} from "viem";
import { createXAddress, deployments } from "../../src/abi/deployments.ts";
import { pinnedReceiverAbi } from "../../src/abi/PinnedReceiver.ts";
import { constructorArguments, pinnedArguments } from "../../src/deployment/constructorArguments.ts";
import { type ContractName, contractNames } from "../../src/deployment/contracts.ts";
import { createXAbi, deploymentAddress } from "../../src/deployment/createX.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import { readArtifact } from "./readArtifact.ts";
import { readLogs } from "./readLogs.ts";

const creationEvent = toEventSelector("ContractCreation(address,bytes32)");

/** Proof that the package's own creation code made a contract. */
export type Origin = {
  readonly address: Address;
  /** Arguments of the constructor, as its ABI decodes them. */
  readonly args: readonly unknown[];
  /** First block with the contract, if the proof found it. */
  readonly block?: bigint | undefined;
  readonly contract: ContractName;
};

type Place = {
  readonly address: Address;
  readonly fromBlock?: bigint | undefined;
  readonly parameters?: DeploymentParameters | undefined;
};

/**
 * Proves a contract's creation: its address is the hash of the package's creation code and arguments. The arguments come from
 * the parameters, from a pinned receiver itself, or from the transaction that the factory's log names.
 *
 * @returns Nothing without a proof.
 * @throws ChainReadFailedError when the node does not give the factory's logs.
 */
export async function proveOrigin(
  client: PublicClient,
  { address, fromBlock = 0n, parameters = {} }: Place,
  toBlock: bigint,
): Promise<Origin | undefined> {
  const common = contractNames.find(
    (name) => name in deployments && isAddressEqual(deployments[name as keyof typeof deployments], address),
  );
  if (common !== undefined) return { address, args: [], contract: common };
  const pinned = await readPinned(client, address, toBlock);
  const candidates = [
    ...Object.entries(constructorArguments(parameters)),
    ...(pinned === undefined ? [] : [["PinnedReceiver", pinned] as const]),
  ];
  for (const [name, args] of candidates) {
    const artifact = readArtifact(name as ContractName);
    if (!isAddressEqual(deploymentAddress(artifact, args), address)) continue;
    return { ...readInitCode(encodeDeployData({ ...artifact, args: [...args] })), address } as Origin;
  }
  const topics = [creationEvent, pad(address.toLowerCase() as Address, { size: 32 })];
  const logs = await readLogs(client, { address: createXAddress, fromBlock, toBlock, topics });
  for (const { blockNumber, transactionHash } of logs) {
    if (transactionHash === null || blockNumber === null) continue;
    const { input } = await client.getTransaction({ hash: transactionHash });
    const made = readFactoryCall(input);
    if (made === undefined) continue;
    if (isAddressEqual(deploymentAddress(readArtifact(made.contract), made.args), address)) {
      return { ...made, address, block: BigInt(blockNumber) };
    }
  }
  return undefined;
}

/** A receiver with all arguments as immutables names them itself; other code may answer anything, which the address refutes. */
async function readPinned(
  client: PublicClient,
  address: Address,
  blockNumber: bigint,
): Promise<readonly unknown[] | undefined> {
  const receiver = { abi: pinnedReceiverAbi, address, blockNumber } as const;
  const reads = pinnedArguments.map((functionName) => client.readContract({ ...receiver, functionName }));
  return Promise.all(reads).catch(() => undefined);
}

type Made = Pick<Origin, "args" | "contract">;

/** Other callers and other functions of the factory give nothing. */
function readFactoryCall(input: Hex): Made | undefined {
  try {
    return readInitCode(decodeFunctionData({ abi: createXAbi, data: input }).args[1]);
  } catch {
    return undefined;
  }
}

/** Recognizes the package's creation code, and decodes the arguments that follow it. */
function readInitCode(initCode: Hex): Made | undefined {
  for (const contract of contractNames) {
    const artifact = readArtifact(contract);
    if (!initCode.startsWith(artifact.bytecode)) continue;
    try {
      const { args = [] } = decodeDeployData({ ...artifact, data: initCode });
      // Other encodings of the same values would be other creation code.
      if (encodeDeployData({ ...artifact, args: [...args] }) === initCode) return { args, contract };
    } catch {
      // Arguments that are cut off are none.
    }
  }
  return undefined;
}
