import { ResponseInvalidError } from "../errors/ResponseInvalidError.ts";
import type { RequestRecord, RequestsPage } from "../schema/record/requestV3.ts";
import { type GetRequestsParameters, getRequests } from "./getRequests.ts";
import type { Client } from "./internal/Client.ts";

/** `timeout` counts for each page. */
export type IterateRequestsParameters = GetRequestsParameters;

export type IterateRequestsReturnType = AsyncGenerator<RequestRecord, void, undefined>;

/**
 * Iterates over requests, page by page (`GET /requests/v3`). Reads each page on demand.
 *
 * @throws RequestErrorType — ResponseInvalidError when the service returns the same cursor twice.
 *
 * @example
 * import { createClient, iterateRequests, production } from "waybill/client";
 *
 * for await (const { id, status } of iterateRequests(createClient({ ...production, apiKey: "your-key" }), { status: "refund" })) {
 *   console.log(id, status);
 * }
 */
export async function* iterateRequests(
  client: Client,
  parameters: IterateRequestsParameters = {},
): IterateRequestsReturnType {
  for await (const { requests } of iterateRequestPages(client, parameters)) yield* requests;
}

/**
 * Iterates over pages of requests with their cursors, which allow resuming after the last processed page.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, iterateRequestPages, production } from "waybill/client";
 *
 * const client = createClient({ ...production, apiKey: "your-key" });
 * for await (const { requests, continuation } of iterateRequestPages(client, { limit: 50, sortBy: "updatedAt" })) {
 *   console.log(requests.length, continuation);
 * }
 */
export async function* iterateRequestPages(
  client: Client,
  parameters: IterateRequestsParameters = {},
): AsyncGenerator<RequestsPage, void, undefined> {
  const seen = new Set<string>();
  let { continuation } = parameters;
  for (;;) {
    const page = await getRequests(client, { ...parameters, continuation });
    yield page;
    continuation = page.continuation ?? undefined;
    if (continuation === undefined || continuation === "") return;
    if (seen.has(continuation)) {
      const reason = "a cursor that came before, which would go round for ever";
      const url = `${client.baseUrl}/requests/v3`;
      throw new ResponseInvalidError({ method: "GET", path: "continuation", reason, status: 200, url });
    }
    seen.add(continuation);
  }
}
