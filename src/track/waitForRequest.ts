import type { Client } from "../client/internal/Client.ts";
import type { RequestErrorType } from "../client/internal/request.ts";
import { RequestFailedError } from "../errors/RequestFailedError.ts";
import { assertFunction } from "../internal/readParts.ts";
import type { RequestProgress } from "./reduceStatus.ts";
import { type WatchRequestParameters, watchRequest } from "./watchRequest.ts";

export type WaitForRequestParameters = WatchRequestParameters & {
  /** Called and awaited for every change. */
  onStatus?: ((progress: RequestProgress) => void | Promise<void>) | undefined;
  /** Milliseconds. Default: ten minutes. */
  timeout?: number | undefined;
  /** Condition to wait for. Default: the request ends. Statuses may be skipped, so accept later ones too. */
  until?: ((progress: RequestProgress) => boolean) | undefined;
};

/** The request's progress at the end of the wait. */
export type WaitForRequestReturnType<Status = "success"> = Omit<RequestProgress, "status"> & {
  readonly requestId: string;
  readonly status: Status;
};

/** Errors of {@link waitForRequest}. */
export type WaitForRequestErrorType = RequestErrorType | RequestFailedError;

/**
 * Tracks a request until it ends, or until `until` holds; see `watchRequest`.
 *
 * @throws WaitForRequestErrorType — RequestFailedError when the request ends in `failure` or `refund` without
 * satisfying `until`, TimeoutError with the last status, AbortedError when `signal` fires.
 *
 * @example
 * import { createClient, production, waitForRequest } from "waybill/client";
 *
 * const { txHashes } = await waitForRequest(createClient(production), {
 *   onStatus: ({ status }) => console.log(status),
 *   requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 *   timeout: 120_000,
 * });
 * console.log(txHashes);
 */
export function waitForRequest(
  client: Client,
  parameters: WaitForRequestParameters & { until?: undefined },
): Promise<WaitForRequestReturnType>;
export function waitForRequest(
  client: Client,
  parameters: WaitForRequestParameters,
): Promise<WaitForRequestReturnType<RequestProgress["status"]>>;
export async function waitForRequest(
  client: Client,
  { onStatus, timeout = 600_000, until, ...parameters }: WaitForRequestParameters,
): Promise<WaitForRequestReturnType<RequestProgress["status"]>> {
  if (onStatus !== undefined) assertFunction("onStatus", onStatus);
  if (until !== undefined) assertFunction("until", until);
  const { requestId } = parameters;
  let last: RequestProgress | undefined;
  for await (const progress of watchRequest(client, { ...parameters, timeout })) {
    await onStatus?.(progress);
    if (until?.(progress) === true) return { ...progress, requestId };
    last = progress;
  }
  if (last?.status === "success") return { ...last, requestId };
  throw new RequestFailedError({
    ...last,
    requestId,
    status: last?.status === "refund" ? "refund" : "failure",
  });
}
