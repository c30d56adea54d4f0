import type { RequestHistory } from "./requestHistory.ts";

/** Outcomes of deposits that the solver still works on: a failure is shown before their refund. */
const atWork: ReadonlySet<string> = new Set(["accepted", "refused"]);

/** Whether a request has its final status. A `failure` is provisional while a deposit is still to be refunded. */
export function isEnded({
  deposits,
  status,
}: {
  readonly deposits: readonly Pick<RequestHistory["deposits"][number], "outcome">[];
  readonly status: string;
}): boolean {
  if (status === "failure") return deposits.every(({ outcome }) => !atWork.has(outcome));
  return status === "success" || status === "refund";
}
