import { type Address, BaseError as ChainError, encodeDeployData, type PublicClient } from "viem";
import { constructorArguments } from "../../src/deployment/constructorArguments.ts";
import type { ContractName } from "../../src/deployment/contracts.ts";
import { deploymentAddress } from "../../src/deployment/createX.ts";
import type { DeploymentParameters, ReceiverName } from "../../src/deployment/parameters.ts";
import { ChainReadFailedError } from "../../src/errors/ChainReadFailedError.ts";
import { assertChain } from "../settings/openNode.ts";
import { compareSettings, initialSettings, type SettingDifference } from "./compareSettings.ts";
import { type Origin, proveOrigin } from "./proveOrigin.ts";
import { readArtifact } from "./readArtifact.ts";
import { readSettings, type Settings } from "./readSettings.ts";

/** Where {@link verifyDeployment} looks, and what it expects. */
export type VerifyDeploymentParameters = {
  readonly address: Address;
  readonly chainId: number;
  /** The only contract to accept. @default any of the package */
  readonly contract?: ContractName | undefined;
  /** First block to search for logs. @default 0n */
  readonly fromBlock?: bigint | undefined;
  /** Constructor parameters, which the address must follow from. Settings are compared to those right after them. */
  readonly parameters?: DeploymentParameters | undefined;
};

/** A difference from what is expected. */
type Difference = {
  readonly subject: "code" | "origin" | "setting";
  /** One sentence. */
  readonly text: string;
} & Partial<SettingDifference>;

/** What {@link verifyDeployment} found. */
export type VerifiedDeployment = {
  readonly address: Address;
  readonly chainId: number;
  readonly block: bigint;
  /** Nothing is read from an account whose creation is not proven. */
  readonly contract?: ContractName;
  /** Proven arguments of the constructor. */
  readonly args?: readonly unknown[];
  readonly settings?: Settings;
  readonly differences: readonly Difference[];
};

/**
 * Proves that this package's creation code made a contract, and compares its settings to what is expected, at one block.
 *
 * The creation decides about code, immutables and first storage, so that none of them is compared by itself: another constructor
 * could leave the same code and, for example, a solver without a log.
 *
 * @returns What was found; without differences, all of it is as expected.
 * @throws BaseError with the code `CHAIN_MISMATCH` for a node of another chain; ChainReadFailedError
 */
export async function verifyDeployment(
  client: PublicClient,
  parameters: VerifyDeploymentParameters,
): Promise<VerifiedDeployment> {
  const { address, chainId, contract: named } = parameters;
  await assertChain(client, chainId);
  try {
    const block = await client.getBlockNumber({ cacheTime: 0 });
    const found = { address, block, chainId };
    const code = await client.getCode({ address, blockNumber: block });
    const origin = code === undefined ? undefined : await proveOrigin(client, parameters, block);
    if (origin === undefined) {
      const unknown = `No creation of ${address} by this package's code is known: pass its parameters.`;
      const text = code === undefined ? `${address} has no code.` : unknown;
      return { ...found, differences: [{ subject: "code", text }] };
    }
    const { args, contract } = origin;
    if (named !== undefined && named !== contract) {
      const text = `At ${address}, the code is ${contract}'s, and not ${named}'s.`;
      return { ...found, differences: [{ subject: "code", text }] };
    }
    const fromBlock = origin.block ?? parameters.fromBlock ?? 0n;
    const { areLogsMissing, settings } = await readSettings(client, origin, { fromBlock, toBlock: block });
    // A node behind one URL may have been replaced since.
    await assertChain(client, chainId);
    const wanted = initialSettings(contract, parameters.parameters ?? {});
    return {
      ...found,
      args,
      contract,
      differences: [
        ...compareParameters(origin, parameters).map((text): Difference => ({ subject: "origin", text })),
        ...(areLogsMissing ? [missingLogs(address, fromBlock)] : []),
        ...compareSettings(wanted ?? {}, settings).map(
          (each): Difference => ({
            ...each,
            subject: "setting",
            text: `\`${each.setting}\` is ${each.actual}, and not ${each.expected}.`,
          }),
        ),
      ],
      settings,
    };
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause;
    throw new ChainReadFailedError({ cause, operation: `reading the contract ${address}` });
  }
}

/** Later changes could be missing too, so that a setting would not be seen. */
function missingLogs(address: Address, fromBlock: bigint): Difference {
  const text = `The node has no log of the constructor of ${address} from block ${fromBlock} on, so its logs may be incomplete: search from an earlier block, or at a node with all logs.`;
  return { subject: "origin", text };
}

/**
 * Compares a contract to the parameters that it should follow from: they must describe this contract, its chain and the
 * arguments of its constructor. Equal settings prove none of it: an owner can change them.
 *
 * @returns One sentence for each difference.
 */
function compareParameters(
  { args, contract }: Origin,
  { address, chainId, contract: named, parameters }: VerifyDeploymentParameters,
): readonly string[] {
  if (parameters === undefined) return [];
  const known = constructorArguments(parameters)[contract as ReceiverName];
  if (known === undefined) {
    const isOther = named === undefined && Object.keys(parameters).length > 0;
    return isOther ? [`The parameters have no section ${contract}.`] : [];
  }
  const artifact = readArtifact(contract);
  const codeOf = (given: readonly unknown[]) => encodeDeployData({ ...artifact, args: [...given] });
  const given = deploymentAddress(artifact, known);
  const ofOrder = mistakenChain(contract, parameters, chainId);
  return [
    ...(codeOf(args) === codeOf(known)
      ? []
      : [`The parameters give the address ${given}: the constructor of ${address} got other arguments.`]),
    ...(ofOrder === undefined ? [] : [ofOrder]),
  ];
}

/** An order receiver takes deposits on the chain of its parameters only. */
export function mistakenChain(
  contract: ContractName,
  parameters: DeploymentParameters,
  chainId: number,
): string | undefined {
  if (contract !== "OrderReceiver") return undefined;
  const named = parameters[contract]?.chainId;
  if (named === undefined || named === chainId) return undefined;
  return `${contract}.chainId is ${named}, and this is chain ${chainId}.`;
}
