import type { Hex } from "viem";
import * as z from "zod";
import { requestStatuses } from "../../../src/schema/request/requestStatus.ts";
import type { Played, ScenarioContext, ScenarioRequest } from "../Scenario.ts";

/** Answer of the history, as far as scenarios read it. */
const historySchema = z.object({
  deposits: z.array(z.object({ txHash: z.string() })),
  details: z.string().nullable(),
  events: z.array(
    z.looseObject({ at: z.int(), seq: z.int(), status: z.enum(requestStatuses), trigger: z.string() }),
  ),
  failReason: z.string().nullable(),
  refundFailReason: z.string().nullable(),
  status: z.enum(requestStatuses),
});
const statusSchema = z.object({ txHashes: z.array(z.string()).default([]) });
const foundSchema = z.object({ requests: z.array(z.object({ requestId: z.string() })) });

export type History = z.output<typeof historySchema>;

async function readHistory({ adminGet }: Reader, requestId: Hex): Promise<History> {
  return historySchema.parse(await adminGet(`/admin/requests/${requestId}/events`));
}

type Reader = { readonly adminGet: (path: string) => Promise<unknown> };

/** Waits until a request has one of some statuses. */
export async function reached(
  scenario: ScenarioContext,
  requestId: Hex,
  ...statuses: readonly History["status"][]
): Promise<History> {
  return scenario.until(
    async () => {
      const history = await readHistory(scenario, requestId);
      return statuses.includes(history.status) ? history : undefined;
    },
    `request ${requestId} to be ${statuses.join(" or ")}`,
  );
}

/** Waits for the request that a payment opened or paid. */
export function requestOf(scenario: ScenarioContext, hash: Hex): Promise<Hex> {
  return scenario.until(async () => {
    const { requests } = foundSchema.parse(
      await scenario.adminGet(`/admin/requests?sortDirection=asc&term=${hash}`),
    );
    return requests[0]?.requestId as Hex | undefined;
  }, `the request of transaction ${hash}`);
}

/** What became of a request. */
export async function describeRequest(
  scenario: ScenarioContext,
  { depositTxHash, orderId, requestId }: Played,
): Promise<Omit<ScenarioRequest, "cause" | "name" | "sentence">> {
  const { deposits, details, events, failReason, refundFailReason, status } = await readHistory(
    scenario,
    requestId,
  );
  const answer = await scenario.service("GET", `/intents/status/v3?requestId=${requestId}`);
  const { txHashes } = statusSchema.parse(answer.body);
  return {
    depositTxHash: depositTxHash ?? (deposits[0]?.txHash as Hex | undefined) ?? null,
    details,
    events: events.map(({ at, seq, status: then, trigger }) => ({ at, seq, status: then, trigger })),
    failReason,
    kind: "request",
    orderId,
    refundFailReason,
    requestId,
    status,
    txHashes: txHashes as Hex[],
  };
}
