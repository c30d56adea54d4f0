import * as z from "zod";
import type { Rpc } from "../rpc.ts";

/** Gas limit of a solver transaction or a simulation: many times a swap with calls. */
export const gasCeiling = 5_000_000n;

const runs: ReadonlySet<string> = new Set(["eth_call", "eth_estimateGas"]);
const callSchema = z.looseObject({});

/**
 * Sets a gas limit on every simulation without one. Simulations reach users' contracts: an endless loop in one would use a
 * block's gas, and keep the node busy meanwhile.
 */
export function capGas(rpc: Rpc): Rpc {
  return (method, params = []) => {
    const [call, ...rest] = params;
    const parsed = runs.has(method) ? callSchema.safeParse(call) : undefined;
    if (!parsed?.success || parsed.data.gas !== undefined) return rpc(method, params);
    return rpc(method, [{ ...parsed.data, gas: `0x${gasCeiling.toString(16)}` }, ...rest]);
  };
}
