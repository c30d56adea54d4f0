import type * as z from "zod/mini";
import {
  type LegacyStatus,
  legacyStatusSchema,
  type Status,
  type StatusV2,
  statusSchema,
  statusV2Schema,
} from "../schema/request/status.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { assertRequestId, chooseVersion, type VersionChoice } from "./internal/parameters.ts";

/** Responses of the status endpoint, by version. */
export type StatusByVersion = { legacy: LegacyStatus; v2: StatusV2; v3: Status };

/** A version of the status endpoint; `legacy` is the oldest. */
export type StatusVersion = keyof StatusByVersion;

export type GetStatusParameters<Version extends StatusVersion = "v3"> = CallOptions &
  /** Default: `v3`, the only one with `submitted` and with reasons. */
  VersionChoice<Version, "v3"> & {
    /** 32 bytes in hexadecimal. */
    requestId: string;
  };

export type GetStatusReturnType<Version extends StatusVersion = "v3"> = StatusByVersion[Version];

const endpoints: {
  [Version in StatusVersion]: { path: string; schema: z.ZodMiniType<StatusByVersion[Version]> };
} = {
  legacy: { path: "/intents/status", schema: legacyStatusSchema },
  v2: { path: "/intents/status/v2", schema: statusV2Schema },
  v3: { path: "/intents/status/v3", schema: statusSchema },
};

/**
 * Reads the status of a request once (`GET /intents/status/v3`). The service allows one read a second; `waitForRequest`
 * respects that.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, getStatus, production } from "waybill/client";
 *
 * const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * console.log((await getStatus(createClient(production), { requestId })).status);
 */
export async function getStatus<Version extends StatusVersion = "v3">(
  client: Client,
  parameters: GetStatusParameters<Version>,
): Promise<GetStatusReturnType<Version>> {
  const { requestId, version = "v3" as Version, ...options } = parameters;
  assertRequestId(requestId);
  const { path, schema } = chooseVersion(endpoints, version);
  return client.request({
    ...options,
    operation: "reading the status of a request",
    path,
    query: { requestId },
    schema,
  });
}
