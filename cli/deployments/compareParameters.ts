import { encodeDeployData } from "viem";
import { constructorArguments } from "../../src/deployment/constructorArguments.ts";
import { type ContractName, keepsStorage } from "../../src/deployment/contracts.ts";
import { deploymentAddress } from "../../src/deployment/createX.ts";
import type { DeploymentParameters, ReceiverName } from "../../src/deployment/parameters.ts";
import type { Candidate, Origin } from "./proveOrigin.ts";

/**
 * Compares a contract to the parameters that it should follow from: they must describe this contract, its chain and the
 * arguments of its constructor. Equal settings prove none of it: an owner can change them.
 *
 * @returns One sentence for each difference.
 */
export function compareParameters(
  { address, artifact, contract }: Candidate,
  origin: Origin | undefined,
  {
    chainId,
    isNamed,
    parameters,
  }: {
    readonly chainId: number;
    /** Whether the caller accepts no other contract. */
    readonly isNamed: boolean;
    readonly parameters: DeploymentParameters;
  },
): readonly string[] {
  const known = constructorArguments(parameters)[contract as ReceiverName];
  if (known === undefined) {
    const isOther = keepsStorage(contract) || (!isNamed && Object.keys(parameters).length > 0);
    return isOther ? [`The parameters have no section ${contract}.`] : [];
  }
  const codeOf = (args: readonly unknown[]) =>
    encodeDeployData({ abi: artifact.abi, args: [...args], bytecode: artifact.bytecode });
  const isOther = origin !== undefined && codeOf(origin.args) !== codeOf(known);
  const given = deploymentAddress(artifact, known);
  const ofOrder = mistakenChain(contract, parameters, chainId);
  return [
    ...(isOther
      ? [`The parameters give the address ${given}: the constructor of ${address} got other arguments.`]
      : []),
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
