import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";

/** A call as the node's call tracer reports it. */
export interface TracedCall {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly input: string;
  readonly gasUsed: string;
  readonly value?: string;
  readonly error?: string;
  readonly calls?: readonly TracedCall[];
}

export async function traceCalls(ethers: HardhatEthers, transactionHash: string): Promise<TracedCall> {
  return ethers.provider.send("debug_traceTransaction", [transactionHash, { tracer: "callTracer" }]);
}

/** Reads every call of a transaction, the outermost first. */
export function flattenCalls(call: TracedCall): TracedCall[] {
  return [call, ...(call.calls ?? []).flatMap(flattenCalls)];
}
