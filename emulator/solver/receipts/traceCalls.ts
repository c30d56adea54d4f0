import { type Address, type Hex, hexToBigInt, BaseError as ViemBaseError } from "viem";
import type { Chain } from "../../chains/Chain.ts";

/** A call inside a transaction that was not reverted. */
export type CallFrame = {
  readonly from: Address;
  readonly to: Address;
  /** Wei. */
  readonly value: bigint;
  readonly input: Hex;
};

type RawFrame = {
  type: string;
  from: Address;
  to?: Address;
  value?: Hex;
  input: Hex;
  error?: string;
  calls?: readonly RawFrame[];
};

/** Error codes of nodes for an unknown method (EIP-1474). */
const noSuchMethod = new Set([-32_601, -32_004]);

/**
 * Reads the calls of a transaction from the node's call tracer, outermost first, without reverted calls and the
 * calls below them.
 *
 * @returns `undefined` when the node cannot trace.
 */
export async function traceCalls(
  chain: Pick<Chain, "rpc">,
  txHash: Hex,
): Promise<readonly CallFrame[] | undefined> {
  try {
    const root = await chain.rpc("debug_traceTransaction", [txHash, { tracer: "callTracer" }]);
    return flatten(root as RawFrame);
  } catch (error) {
    if (error instanceof ViemBaseError && "code" in error && noSuchMethod.has(Number(error.code))) {
      return undefined;
    }
    throw error;
  }
}

function flatten(frame: RawFrame): readonly CallFrame[] {
  if (frame.error !== undefined) return [];
  const inner = (frame.calls ?? []).flatMap(flatten);
  // A delegatecall acts as its caller, and a static call moves nothing.
  if (frame.type !== "CALL" || frame.to === undefined) return inner;
  const { from, input, to, value } = frame;
  return [{ from, input, to, value: value === undefined ? 0n : hexToBigInt(value) }, ...inner];
}
