import {
  type Address,
  BaseError as ChainError,
  encodeDeployData,
  encodeFunctionData,
  formatEther,
  type Hex,
  keccak256,
  type PublicClient,
} from "viem";
import { createXAddress } from "../../src/abi/deployments.ts";
import { constructorArguments } from "../../src/deployment/constructorArguments.ts";
import { createXAbi, createXCodeHash, deploymentAddress, factorySalt } from "../../src/deployment/createX.ts";
import type { DeploymentParameters, ReceiverName } from "../../src/deployment/parameters.ts";
import { ChainReadFailedError, isRefusal } from "../../src/errors/ChainReadFailedError.ts";
import { redactUrls } from "../../src/errors/redactUrls.ts";
import { assertChain } from "../settings/openNode.ts";
import { checkAccounts, type DescribedDeployment, describeArguments, refused } from "./describeArguments.ts";
import { readArtifact } from "./readArtifact.ts";
import { mistakenChain, type VerifiedDeployment, verifyDeployment } from "./verifyDeployment.ts";

/** What is deployed. */
export type Deployment = {
  readonly contract: ReceiverName | "BalanceProxy";
  readonly parameters: DeploymentParameters;
};

type PlanDeploymentParameters = Deployment & {
  readonly chainId: number;
  /** First block to search for logs of a contract that stands. @default 0n */
  readonly fromBlock?: bigint | undefined;
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
  { chainId, contract, fromBlock, parameters, sender }: PlanDeploymentParameters,
): Promise<DeploymentPlan> {
  await assertChain(client, chainId);
  try {
    const artifact = readArtifact(contract);
    const args = contract === "BalanceProxy" ? [] : constructorArguments(parameters)[contract];
    if (args === undefined) throw refused(`The parameters have no section ${contract}.`);
    const described = describeArguments(contract, parameters);
    const isRehearsal = await isDevelopmentNode(client);
    await checkFactory(client, chainId, isRehearsal);
    await checkOrder(client, chainId, { contract, parameters });
    const address = deploymentAddress(artifact, args);
    const plan = { ...described, address, chainId, contract };
    if ((await client.getCode({ address })) !== undefined) {
      const place = { address, chainId, contract, fromBlock };
      const standing = await verifyDeployment(client, { ...place, parameters });
      return { ...plan, remarks: [], standing };
    }
    const remarks = await checkAccounts(client, described.accounts, isRehearsal);
    const initCode = encodeDeployData({ abi: artifact.abi, args: [...args], bytecode: artifact.bytecode });
    const data = encodeFunctionData({
      abi: createXAbi,
      args: [factorySalt, initCode],
      functionName: "deployCreate2",
    });
    const [gas, gasPrice, { baseFeePerGas }] = await Promise.all([
      client.estimateGas({ ...(sender && { account: sender }), data, to: createXAddress }),
      client.getGasPrice(),
      client.getBlock(),
    ]);
    const fees = feesOf(gasPrice, baseFeePerGas);
    const gasLimit = gas + gas / 4n;
    return { ...plan, remarks, transaction: { data, fees, gas, gasLimit, gasPrice, to: createXAddress } };
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause;
    // The parameters are checked before, so that a refusal names the payer, or what the factory says of the constructor.
    if (isRefusal(cause)) throw refused(`The chain refuses the deployment: ${redactUrls(cause.details)}.`);
    throw new ChainReadFailedError({ cause, operation: `preparing a deployment on chain ${chainId}` });
  }
}

/** Cost of a planned transaction at the chain's present price of gas, and the most that it can cost. */
export function costOf({ fees, gas, gasLimit, gasPrice }: NonNullable<DeploymentPlan["transaction"]>) {
  const wei = gas * gasPrice;
  const most = gasLimit * ("gasPrice" in fees ? fees.gasPrice : fees.maxFeePerGas);
  return { ether: formatEther(wei), gas, gasPrice, most, wei };
}

/** Twice the present price lasts for some blocks of rising base fees. */
function feesOf(gasPrice: bigint, baseFee: bigint | null): PlannedFees {
  if (baseFee === null) return { gasPrice };
  const tip = gasPrice > baseFee ? gasPrice - baseFee : 0n;
  return { maxFeePerGas: 2n * gasPrice, maxPriorityFeePerGas: tip };
}

/** Whether the node mines for tests: Hardhat's or anvil. */
async function isDevelopmentNode(client: PublicClient): Promise<boolean> {
  const version = await client.request({ method: "web3_clientVersion" }).catch(() => "");
  return /^(?:HardhatNetwork|anvil)\//i.test(version);
}

/** A node for tests gets the factory that public chains have. */
async function checkFactory(client: PublicClient, chainId: number, isRehearsal: boolean): Promise<void> {
  const code = await client.getCode({ address: createXAddress });
  if (code !== undefined && keccak256(code) === createXCodeHash) return;
  if (code !== undefined)
    throw refused(`The code at ${createXAddress} on chain ${chainId} is not CreateX's.`);
  if (!isRehearsal) {
    throw refused(`Chain ${chainId} has no CreateX at ${createXAddress}: see createx.rocks.`);
  }
  const { placeFactory } = await import("./runIgnition.ts");
  await placeFactory(client);
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
