import type { Context } from "../context/Context.ts";
import { evmLedger } from "./evmLedger.ts";
import { exchangeLedger } from "./exchange/exchangeLedger.ts";
import type { SolverLedger, SolverLedgers } from "./ledgers/SolverLedger.ts";

/** Opens all ledgers of the solver. */
export function openLedgers(context: Context): SolverLedgers {
  const { chains, exchange } = context;
  const ledgers = new Map<number, SolverLedger>();
  for (const [id, chain] of chains) ledgers.set(id, evmLedger(chain, context));
  if (exchange !== undefined) ledgers.set(exchange.definition.id, exchangeLedger(exchange, context));
  return ledgers;
}
