import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Address, Hex } from "viem";
import type { Call } from "../../../../src/calls/Call.ts";
import type { RelayRouterV3 } from "../../../../typechain-types/index.ts";
import { deployProxyStage, type ProxyStage } from "../../../helpers/contracts/proxyStage.ts";

export interface RecipeStage {
  readonly stage: ProxyStage;
  /** The service's router, on which the money of a request arrives. */
  readonly router: RelayRouterV3;
  /** Parameters that all recipes share. */
  readonly parties: { readonly proxy: Address; readonly recipient: Address };
}

export async function deployRecipeStage(ethers: HardhatEthers): Promise<RecipeStage> {
  const stage = await deployProxyStage(ethers);
  const router = await ethers.deployContract("RelayRouterV3");
  const parties = { proxy: await addressOf(stage.proxy), recipient: stage.recipient.address as Address };
  return { stage, router, parties };
}

export async function addressOf(contract: { getAddress(): Promise<string> }): Promise<Address> {
  return (await contract.getAddress()) as Address;
}

/** Makes the calls from the service's router, sent by an unrelated account. */
export async function runCalls({ router, stage }: RecipeStage, calls: readonly Call[], value = 0n) {
  const plan = calls.map(({ to, data, ...call }) => ({
    target: to,
    allowFailure: false,
    value: call.value,
    callData: data,
  }));
  return router
    .connect(stage.stranger)
    .multicall(plan, stage.stranger, stage.ethers.ZeroAddress, "0x", { value });
}

/** Revert data of a `require` with a reason. */
export function reasonOf(stage: ProxyStage, message: string): Hex {
  const reason = stage.ethers.AbiCoder.defaultAbiCoder().encode(["string"], [message]);
  return `0x08c379a0${reason.slice(2)}`;
}
