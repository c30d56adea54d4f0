import type { Chain } from "../../chains/Chain.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import type { Context } from "../../context/Context.ts";

/** The sweeps of each chain that waited in the last round of this process. */
const waiting = new WeakMap<Chain | SvmChain, ReadonlySet<string>>();

/**
 * Logs that sweeps wait because the solver lacks gas, once for each sweep while it waits.
 *
 * @param requestIds The requests of all sweeps of the chain that wait after a round.
 */
export function logShortage(
  chain: Chain | SvmChain,
  requestIds: readonly string[],
  { log }: Pick<Context, "log">,
): void {
  const before = waiting.get(chain);
  waiting.set(chain, new Set(requestIds));
  const message = `the solver lacks gas on ${chain.definition.name}: the sweep of a deposit address waits`;
  for (const requestId of requestIds) {
    if (before?.has(requestId) !== true) log({ level: "error", message, requestId });
  }
}
