import * as z from "zod";
import type { Rpc } from "../rpc.ts";

/** The most gas that a transaction of the solver, or a run for a quote, may take: many times a swap with calls. */
export const gasCeiling = 5_000_000n;

const runs: ReadonlySet<string> = new Set(["eth_call", "eth_estimateGas"]);
const callSchema = z.looseObject({});

/**
 * Bounds the gas of every run that names no gas itself. Runs reach contracts of users: without a bound one that loops takes
 * all the gas of a block, and the node's time with it.
 */
export function capGas(rpc: Rpc): Rpc {
  return (method, params = []) => {
    const [call, ...rest] = params;
    const parsed = runs.has(method) ? callSchema.safeParse(call) : undefined;
    if (!parsed?.success || parsed.data.gas !== undefined) return rpc(method, params);
    return rpc(method, [{ ...parsed.data, gas: `0x${gasCeiling.toString(16)}` }, ...rest]);
  };
}
