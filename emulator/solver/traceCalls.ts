import { type Address, type Hex, hexToBigInt } from "viem";
import type { Chain } from "../chains/Chain.ts";

/** One call inside a transaction that was not reverted. */
export type CallFrame = {
  readonly from: Address;
  readonly to: Address;
  /** Wei. */
  readonly value: bigint;
  readonly input: Hex;
};

/** A transaction's calls, outermost first, and who signed it. */
export type CallTrace = { readonly from: Address; readonly calls: readonly CallFrame[] };

type RawFrame = {
  type: string;
  from: Address;
  to?: Address;
  value?: Hex;
  input: Hex;
  error?: string;
  calls?: readonly RawFrame[];
};

/** Reads the calls of a transaction from the node's call tracer; calls that reverted, and what is below them, left out. */
export async function traceCalls(chain: Chain, txHash: Hex): Promise<CallTrace> {
  const request = chain.client.request as (call: {
    method: string;
    params: readonly unknown[];
  }) => Promise<unknown>;
  const root = (await request({
    method: "debug_traceTransaction",
    params: [txHash, { tracer: "callTracer" }],
  })) as RawFrame;
  return { calls: flatten(root), from: root.from };
}

function flatten(frame: RawFrame): readonly CallFrame[] {
  if (frame.error !== undefined) return [];
  const inner = (frame.calls ?? []).flatMap(flatten);
  // Delegated code acts in its caller's name, and static calls move nothing.
  if (frame.type !== "CALL" || frame.to === undefined) return inner;
  const { from, input, to, value } = frame;
  return [{ from, input, to, value: value === undefined ? 0n : hexToBigInt(value) }, ...inner];
}
