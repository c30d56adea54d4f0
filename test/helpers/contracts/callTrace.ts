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

/** The one call of `type` to `address`; more than one, or none, is an error. */
export function onlyCallTo(trace: TracedCall, type: string, address: string): TracedCall {
  const found = flattenCalls(trace).filter(
    (call) => call.type === type && call.to.toLowerCase() === address.toLowerCase(),
  );
  const [call] = found;
  if (call === undefined || found.length > 1) {
    throw new Error(`Expected one ${type} to ${address}, found ${found.length}.`);
  }
  return call;
}

/** Gas of a call without its nested calls. */
export function ownGas(call: TracedCall): bigint {
  const inner = (call.calls ?? []).reduce((sum, each) => sum + BigInt(each.gasUsed), 0n);
  return BigInt(call.gasUsed) - inner;
}

/** The call tree of the transaction in the latest block, which must be a call to `address`; it may have failed. */
export async function traceLatest(ethers: HardhatEthers, address: string): Promise<TracedCall> {
  const block = await ethers.provider.getBlock("latest");
  const [hash] = block?.transactions ?? [];
  if (hash === undefined) throw new Error("The latest block is empty.");
  const trace = await traceCalls(ethers, hash);
  if (trace.to.toLowerCase() !== address.toLowerCase()) {
    throw new Error(`The latest transaction went to ${trace.to}, not to ${address}.`);
  }
  return trace;
}
