import {
  buildModule,
  DeploymentResultType,
  deploy,
  type EIP1193Provider,
  type IgnitionModule,
} from "@nomicfoundation/ignition-core";
import { BaseError as ChainError, type PublicClient } from "viem";
import balanceProxy from "../../ignition/modules/BalanceProxy.ts";
import managedReceiver from "../../ignition/modules/ManagedReceiver.ts";
import orderReceiver from "../../ignition/modules/OrderReceiver.ts";
import pinnedReceiver from "../../ignition/modules/PinnedReceiver.ts";
import { createXAddress } from "../../src/abi/deployments.ts";
import { factorySalt } from "../../src/deployment/createX.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import { BaseError } from "../../src/errors/BaseError.ts";
import { redactUrls } from "../../src/errors/redactUrls.ts";
import { readArtifact } from "./readArtifact.ts";

/** Ignition module of each contract that the command deploys. */
export const modules: Readonly<Record<keyof DeploymentParameters | "BalanceProxy", IgnitionModule>> = {
  BalanceProxy: balanceProxy,
  ManagedReceiver: managedReceiver,
  OrderReceiver: orderReceiver,
  PinnedReceiver: pinnedReceiver,
};

/**
 * Places the factory on a node for tests, as Ignition does on Hardhat's own chain: by the transaction that the factory's author
 * signed for every chain.
 */
export async function placeFactory(client: PublicClient): Promise<void> {
  const artifact = { ...readArtifact("OutputGuard"), abi: [], contractName: "CreateX" };
  const module = buildModule("CreateX", (m) => ({
    factory: m.contractAt("CreateX", artifact as never, createXAddress),
  }));
  const provider: EIP1193Provider = {
    request: async ({ method, params }) =>
      method === "eth_chainId" ? "0x7a69" : client.request({ method, params } as never),
  };
  const failure = await runIgnition(module, provider, [createXAddress], {});
  if (failure !== undefined) throw failure;
}

/**
 * Deploys a module by the create2 strategy.
 *
 * @returns Why it failed, in Ignition's words.
 */
export async function runIgnition(
  ignitionModule: IgnitionModule,
  provider: EIP1193Provider,
  accounts: string[],
  deploymentParameters: DeploymentParameters,
): Promise<BaseError | undefined> {
  try {
    const result = await deploy({
      accounts,
      artifactResolver: {
        getBuildInfo: async () => undefined,
        loadArtifact: async (name) => readArtifact(name as keyof DeploymentParameters) as never,
      },
      deploymentParameters: deploymentParameters as Parameters<typeof deploy>[0]["deploymentParameters"],
      // A bump would pay more than the plan.
      disableFeeBumping: true,
      ignitionModule,
      provider,
      strategy: "create2",
      strategyConfig: { salt: factorySalt },
    });
    if (result.type === DeploymentResultType.SUCCESSFUL_DEPLOYMENT) return undefined;
    if (result.type !== DeploymentResultType.EXECUTION_ERROR) return failed(JSON.stringify(result.errors));
    const [{ error } = { error: "it has no receipt in time" }] = result.failed;
    return failed(error);
  } catch (cause) {
    if (cause instanceof BaseError) throw cause;
    // Messages of viem contain the node's URL.
    if (cause instanceof ChainError) return failed(cause.details ?? cause.shortMessage);
    return failed(cause instanceof Error ? cause.message : String(cause));
  }
}

function failed(reason: string): BaseError {
  const details = redactUrls(reason.split("\n", 1)[0] ?? "");
  return new BaseError("Ignition did not finish the deployment.", { code: "DEPLOYMENT_FAILED", details });
}
