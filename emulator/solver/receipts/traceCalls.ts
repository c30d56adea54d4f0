import {
  type Address,
  type Hex,
  hexToBigInt,
  numberToHex,
  type SignedAuthorization,
  BaseError as ViemBaseError,
} from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { isTransportError } from "../../chains/evm/httpRpc.ts";

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
  gasUsed?: Hex;
  output?: Hex;
  calls?: readonly RawFrame[];
};

type TracedCall = {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  readonly authorizationList?: readonly SignedAuthorization[] | undefined;
};

/** Error codes of nodes for an unknown method (EIP-1474). */
const noSuchMethod = new Set([-32_601, -32_004]);

/**
 * Reads the calls of a transaction from the node's call tracer, outermost first, without reverted calls and the calls
 * below them.
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

/** A call that reverted, and how. */
export type FailedFrame = {
  readonly type: string;
  readonly to?: Address | undefined;
  readonly input: Hex;
  /** Revert data. */
  readonly output: Hex;
  readonly error?: string | undefined;
  readonly gasUsed?: bigint | undefined;
};

/**
 * Runs a call on the present state with the node's call tracer, and lists the calls on the way to its revert, outermost
 * first. Empty when the node cannot trace calls.
 */
export async function failedFrames(
  { rpc }: Pick<Chain, "rpc">,
  { authorizationList, value, ...call }: TracedCall,
): Promise<readonly FailedFrame[]> {
  const authorizations = authorizationList?.map(({ chainId, nonce, yParity, ...rest }) => ({
    ...rest,
    chainId: numberToHex(chainId),
    nonce: numberToHex(nonce),
    yParity: numberToHex(yParity ?? 0),
  }));
  const traced = {
    ...call,
    value: numberToHex(value),
    ...(authorizations && { authorizationList: authorizations }),
  };
  const root = await rpc("debug_traceCall", [traced, "latest", { tracer: "callTracer" }]).catch(
    (error: unknown) => {
      if (isTransportError(error)) throw error;
      return undefined;
    },
  );
  const frames: FailedFrame[] = [];
  for (let frame = root as RawFrame | undefined; frame?.error !== undefined; ) {
    const { calls = [], error, gasUsed, input, output = "0x", to, type } = frame;
    frames.push({ error, input, output, to, type, ...(gasUsed && { gasUsed: hexToBigInt(gasUsed) }) });
    // The last inner call that failed is the one whose failure its caller passed on.
    frame = calls.findLast((each) => each.error !== undefined);
  }
  return frames;
}

function flatten(frame: RawFrame): readonly CallFrame[] {
  if (frame.error !== undefined) return [];
  const inner = (frame.calls ?? []).flatMap(flatten);
  // A delegatecall acts as its caller, and a static call moves nothing.
  if (frame.type !== "CALL" || frame.to === undefined) return inner;
  const { from, input, to, value } = frame;
  return [{ from, input, to, value: value === undefined ? 0n : hexToBigInt(value) }, ...inner];
}
