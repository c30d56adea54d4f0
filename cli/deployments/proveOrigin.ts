import {
  type Abi,
  type Address,
  concatHex,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  isAddressEqual,
  type PublicClient,
  pad,
  size,
  slice,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  toEventSelector,
} from "viem";
import { createXAddress } from "../../src/abi/deployments.ts";
import type { ContractArtifact, ContractName, ImmutableValue } from "../../src/deployment/contracts.ts";
import { createXAbi, deploymentAddress } from "../../src/deployment/createX.ts";
import { readLogs } from "./readLogs.ts";

const creation = toEventSelector("ContractCreation(address,bytes32)");

/** Proof that the artifact's own constructor made a contract, so that no other code filled its storage. */
export type Origin = {
  readonly args: readonly unknown[];
  /** First block with the contract, if the proof found it. */
  readonly block?: bigint | undefined;
};

/** A contract whose code is the artifact's. */
export type Candidate = {
  readonly address: Address;
  readonly artifact: ContractArtifact;
  readonly contract: ContractName;
  readonly immutables: Readonly<Record<string, ImmutableValue>>;
};

/** Arguments of a constructor that keeps them all as immutables. */
function argumentsOf({ contract, immutables }: Candidate): readonly unknown[] | undefined {
  if (contract === "PinnedReceiver") {
    const binding = BigInt(immutables["callerMask"] as Hex) === 0n ? 0 : 1;
    return [immutables["solver"], immutables["nativePayee"], binding, immutables["refundPayee"]];
  }
  return contract.includes("Receiver") && contract !== "ManagedReceiverLens" ? undefined : [];
}

/**
 * Proves a contract's constructor by its address: the hash of creation code and arguments.
 *
 * @param known Arguments that the caller expects. Others are read from the code, or from the transaction that the factory's
 * log names.
 * @returns Nothing without a proof.
 * @throws ChainReadFailedError when the node does not give the factory's logs.
 */
export async function proveByAddress(
  client: PublicClient,
  candidate: Candidate,
  {
    fromBlock,
    known,
    toBlock,
  }: { fromBlock: bigint; known?: readonly unknown[] | undefined; toBlock: bigint },
): Promise<Origin | undefined> {
  const { address, artifact } = candidate;
  for (const args of [known, argumentsOf(candidate)]) {
    if (args !== undefined && isAddressEqual(deploymentAddress(artifact, args), address)) return { args };
  }
  const topics = [creation, pad(address.toLowerCase() as Address, { size: 32 })];
  const logs = await readLogs(client, { address: createXAddress, fromBlock, toBlock, topics });
  for (const { blockNumber, transactionHash } of logs) {
    if (transactionHash === null || blockNumber === null) continue;
    const { input } = await client.getTransaction({ hash: transactionHash });
    const args = argumentsIn(input, artifact);
    if (args !== undefined && isAddressEqual(deploymentAddress(artifact, args), address)) {
      return { args, block: BigInt(blockNumber) };
    }
  }
  return undefined;
}

/**
 * Proves a contract's constructor by the transaction that created it, without a factory.
 *
 * @returns Nothing if the transaction created another contract, or by other code.
 */
export async function proveByTransaction(
  client: PublicClient,
  { address, artifact }: Candidate,
  hash: Hex,
): Promise<Origin | undefined> {
  const found = await Promise.all([
    client.getTransaction({ hash }),
    client.getTransactionReceipt({ hash }),
  ]).catch((error: unknown) => {
    const isUnknown =
      error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError;
    if (isUnknown) return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const [{ input, to }, receipt] = found;
  const created = receipt.contractAddress;
  if (to !== null || !created || !isAddressEqual(created, address)) return undefined;
  const args = trailingArguments(input, artifact);
  return args === undefined ? undefined : { args, block: receipt.blockNumber };
}

function argumentsIn(input: Hex, artifact: ContractArtifact): readonly unknown[] | undefined {
  try {
    const { args } = decodeFunctionData({ abi: createXAbi, data: input });
    return trailingArguments(args[1], artifact);
  } catch {
    // Called by another contract, or by another function of the factory.
    return undefined;
  }
}

/** Decodes the arguments that follow an artifact's creation code. */
function trailingArguments(
  initCode: Hex,
  { abi, bytecode }: Pick<ContractArtifact, "abi" | "bytecode">,
): readonly unknown[] | undefined {
  if (!initCode.startsWith(bytecode)) return undefined;
  const inputs = (abi as Abi).find((item) => item.type === "constructor")?.inputs ?? [];
  const encoded = size(initCode) === size(bytecode) ? "0x" : slice(initCode, size(bytecode));
  try {
    const args = inputs.length === 0 ? [] : decodeAbiParameters(inputs, encoded);
    // Other encodings of the same values would be other creation code.
    const again = concatHex([bytecode, inputs.length === 0 ? "0x" : encodeAbiParameters(inputs, args)]);
    return again === initCode ? args : undefined;
  } catch {
    return undefined;
  }
}
