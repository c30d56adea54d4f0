import type { Chain } from "../../chains/Chain.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import type { Context } from "../../context/Context.ts";

/** The sweeps of each chain that waited at their last attempt by this process. */
const waiting = new WeakMap<Chain | SvmChain, ReadonlySet<string>>();

/** Logs that sweeps wait because the solver lacks gas, once for each sweep while it waits. */
export function logShortage(
  chain: Chain | SvmChain,
  round: { readonly due: readonly { readonly request_id: string }[]; readonly waiting: readonly string[] },
  { log }: Pick<Context, "log">,
): void {
  const before = waiting.get(chain) ?? new Set();
  const attempted = new Set(round.due.map(({ request_id }) => request_id));
  waiting.set(chain, new Set([...[...before].filter((id) => !attempted.has(id)), ...round.waiting]));
  const message = `the solver lacks gas on ${chain.definition.name}: the sweep of a deposit address waits`;
  for (const requestId of round.waiting) {
    if (!before.has(requestId)) log({ level: "error", message, requestId });
  }
}
