import type { Address } from "viem";
import type { Rpc } from "../rpc.ts";
import { readArtifact } from "./artifacts.ts";
import { placeCode } from "./placeCode.ts";

/** Address of the batch executor that the official client delegates accounts to; service facts, "Others". */
export const caliburAddress: Address = "0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00";

/**
 * Places the stand-in for Calibur at its address. On a node that cannot set code, accounts delegate to other executors
 * only.
 */
export async function placeCalibur(rpc: Rpc): Promise<void> {
  await placeCode(rpc, caliburAddress, () => readArtifact("service/Calibur").deployedBytecode);
}
