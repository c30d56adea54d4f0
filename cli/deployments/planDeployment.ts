import {
  type Address,
  BaseError as ChainError,
  decodeErrorResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  isHex,
  keccak256,
  type PublicClient,
} from "viem";
import { createXAddress } from "../../src/abi/deployments.ts";
import { constructorArguments } from "../../src/deployment/constructorArguments.ts";
import type { ContractArtifact, ReadArtifact } from "../../src/deployment/contracts.ts";
import { createXAbi, createXCodeHash, deploymentAddress, factorySalt } from "../../src/deployment/createX.ts";
import type { DeploymentParameters, ReceiverName } from "../../src/deployment/parameters.ts";
import { ChainReadFailedError, isRefusal } from "../../src/errors/ChainReadFailedError.ts";
import { assertChain } from "./assertChain.ts";
import { checkAccounts, refused } from "./checkAccounts.ts";
import { mistakenChain } from "./compareParameters.ts";
import { type DescribedDeployment, describeArguments } from "./describeArguments.ts";
import { type VerifiedDeployment, verifyDeployment } from "./verifyDeployment.ts";

/** What to deploy, and where. */
export type PlanDeploymentParameters = {
  readonly chainId: number;
  readonly contract: ReceiverName | "BalanceProxy";
  /** First block to search for logs of a contract that stands. @default 0n */
  readonly fromBlock?: bigint | undefined;
  readonly parameters: DeploymentParameters;
  readonly readArtifact: ReadArtifact;
  /** Account that pays, for the estimate of gas. */
  readonly sender?: Address | undefined;
};

/** Fees that the transaction offers, in wei. The node cannot raise them later. */
type PlannedFees =
  | { readonly gasPrice: bigint }
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** A deployment before it is sent. */
export type DeploymentPlan = DescribedDeployment &
  Pick<PlanDeploymentParameters, "chainId" | "contract"> & {
    readonly address: Address;
    /** The contract that stands there already. */
    readonly standing?: VerifiedDeployment;
    /** The transaction to the factory, unless the contract stands. */
    readonly transaction?: {
      readonly data: Hex;
      readonly fees: PlannedFees;
      readonly gas: bigint;
      /** A quarter above `gas`: estimates of later blocks differ a little. */
      readonly gasLimit: bigint;
      /** The chain's present price of gas, in wei. */
      readonly gasPrice: bigint;
      readonly to: Address;
    };
    /** Remarks, one sentence each. */
    readonly remarks: readonly string[];
  };

/**
 * Prepares a deployment through the factory: address, arguments with their meaning, and cost. Sends nothing.
 *
 * @throws BaseError with the code `CHAIN_MISMATCH` or `DEPLOYMENT_REFUSED`; ChainReadFailedError
 */
export async function planDeployment(
  client: PublicClient,
  { chainId, contract, fromBlock, parameters, readArtifact, sender }: PlanDeploymentParameters,
): Promise<DeploymentPlan> {
  await assertChain(client, chainId);
  try {
    const artifact = readArtifact(contract);
    const args = contract === "BalanceProxy" ? [] : constructorArguments(parameters)[contract];
    if (args === undefined) throw refused(`The parameters have no section ${contract}.`);
    const described = describeArguments(contract, parameters);
    await checkFactory(client, chainId);
    await checkOrder(client, chainId, { contract, parameters });
    const address = deploymentAddress(artifact, args);
    const plan = { ...described, address, chainId, contract };
    if ((await client.getCode({ address })) !== undefined) {
      const place = { address, chainId, contract, fromBlock };
      const standing = await verifyDeployment(client, { ...place, parameters, readArtifact });
      return { ...plan, remarks: [], standing };
    }
    const remarks = await checkAccounts(client, described.accounts);
    const initCode = encodeDeployData({ abi: artifact.abi, args: [...args], bytecode: artifact.bytecode });
    const data = encodeFunctionData({
      abi: createXAbi,
      args: [factorySalt, initCode],
      functionName: "deployCreate2",
    });
    const [gas, gasPrice, { baseFeePerGas }] = await Promise.all([
      estimate(client, { artifact, data, initCode, sender }),
      client.getGasPrice(),
      client.getBlock(),
    ]);
    const fees = feesOf(gasPrice, baseFeePerGas);
    const gasLimit = gas + gas / 4n;
    return { ...plan, remarks, transaction: { data, fees, gas, gasLimit, gasPrice, to: createXAddress } };
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause;
    throw new ChainReadFailedError({ cause, operation: `preparing a deployment on chain ${chainId}` });
  }
}

/** Twice the present price lasts for some blocks of rising base fees. */
function feesOf(gasPrice: bigint, baseFee: bigint | null): PlannedFees {
  if (baseFee === null) return { gasPrice };
  const tip = gasPrice > baseFee ? gasPrice - baseFee : 0n;
  return { maxFeePerGas: 2n * gasPrice, maxPriorityFeePerGas: tip };
}

async function checkFactory(client: PublicClient, chainId: number): Promise<void> {
  const code = await client.getCode({ address: createXAddress });
  if (code === undefined)
    throw refused(
      `Chain ${chainId} has no CreateX at ${createXAddress}: see createx.rocks. Local chains have none, forks of public chains do.`,
    );
  if (keccak256(code) === createXCodeHash) return;
  throw refused(`The code at ${createXAddress} on chain ${chainId} is not CreateX's.`);
}

/** On another chain, an order receiver would accept payments of orders that no solver fills. */
async function checkOrder(
  client: PublicClient,
  chainId: number,
  { contract, parameters }: Pick<PlanDeploymentParameters, "contract" | "parameters">,
): Promise<void> {
  if (contract !== "OrderReceiver") return;
  const order = parameters[contract];
  if (order === undefined) return;
  const mistake = mistakenChain(contract, parameters, chainId);
  if (mistake !== undefined) throw refused(mistake);
  if ((await client.getCode({ address: order.depository as Address })) === undefined) {
    throw refused(`${contract}.depository ${order.depository} has no code on chain ${chainId}.`);
  }
}

async function estimate(
  client: PublicClient,
  {
    artifact,
    data,
    initCode,
    sender,
  }: { artifact: ContractArtifact; data: Hex; initCode: Hex; sender: Address | undefined },
): Promise<bigint> {
  try {
    return await client.estimateGas({
      ...(sender !== undefined && { account: sender }),
      data,
      to: createXAddress,
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The factory drops the constructor's reason.
    const reason = await constructorError(client, artifact, initCode);
    throw reason === undefined ? error : refused(`The constructor reverts with ${reason}.`);
  }
}

async function constructorError(
  client: PublicClient,
  { abi }: ContractArtifact,
  data: Hex,
): Promise<string | undefined> {
  try {
    await client.call({ data });
    return undefined;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const found = error.walk((inner) => isHex((inner as { data?: unknown }).data));
    const revert = (found as { data?: Hex } | null)?.data;
    if (revert === undefined || revert === "0x") return undefined;
    const { args = [], errorName } = decodeErrorResult({ abi, data: revert });
    return `${errorName}(${args.join(", ")})`;
  }
}
