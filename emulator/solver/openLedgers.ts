import type { Context } from "../context/Context.ts";
import { evmLedger } from "./evmLedger.ts";
import type { SolverLedger, SolverLedgers } from "./ledgers/SolverLedger.ts";

/** Opens all ledgers of the solver. */
export function openLedgers(context: Context): SolverLedgers {
  return new Map(
    [...context.chains].map(([id, chain]): [number, SolverLedger] => [id, evmLedger(chain, context)]),
  );
}
