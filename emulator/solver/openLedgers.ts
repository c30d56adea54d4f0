import type { Context } from "../context/Context.ts";
import { evmLedger } from "./evmLedger.ts";
import { exchangeLedger } from "./exchange/exchangeLedger.ts";
import type { SolverLedger, SolverLedgers } from "./ledgers/SolverLedger.ts";
import { svmLedger } from "./svm/svmLedger.ts";

/** Opens all ledgers of the solver. */
export function openLedgers(context: Context): SolverLedgers {
  const { chains, exchange, svm } = context;
  const ledgers = new Map<number, SolverLedger>();
  for (const [id, chain] of chains) ledgers.set(id, evmLedger(chain, context));
  if (exchange !== undefined) ledgers.set(exchange.definition.id, exchangeLedger(exchange, context));
  if (svm !== undefined) ledgers.set(svm.definition.id, svmLedger(svm, context));
  return ledgers;
}
