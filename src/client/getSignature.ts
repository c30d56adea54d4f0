import type * as z from "zod/mini";
import {
  type SignatureRecordResponse,
  type SignatureRecordV2Response,
  signatureRecordSchema,
  signatureRecordV2Schema,
} from "../schema/record/signatureRecord.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { assertRequestId, chooseVersion, type VersionChoice } from "./internal/parameters.ts";

/** The signed records, by version. */
export type SignatureByVersion = { v1: SignatureRecordResponse; v2: SignatureRecordV2Response };

/** A version of the signed record. */
export type SignatureVersion = keyof SignatureByVersion;

export type GetSignatureParameters<Version extends SignatureVersion = "v1"> = CallOptions &
  /** Default: `v1`, which signs the amount; `v2` signs the destination currency instead. */
  VersionChoice<Version, "v1"> & {
    /** 32 bytes in hexadecimal. */
    requestId: string;
  };

export type GetSignatureReturnType<Version extends SignatureVersion = "v1"> = SignatureByVersion[Version];

const endpoints: {
  [Version in SignatureVersion]: { schema: z.ZodMiniType<SignatureByVersion[Version]>; suffix: string };
} = {
  v1: { schema: signatureRecordSchema, suffix: "" },
  v2: { schema: signatureRecordV2Schema, suffix: "/v2" },
};

/**
 * Reads the solver's signed record of a request (`GET /requests/{requestId}/signature`), for a contract to verify.
 *
 * Does not verify the signature: call `verifyRecord`, or let the receiver verify on chain.
 *
 * @throws RequestErrorType — an unknown request id is an HttpError with status 400 and the service's code.
 *
 * @example
 * import { createClient, getSignature, production } from "waybill/client";
 *
 * const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * const { requestData, signature } = await getSignature(createClient(production), { requestId });
 * console.log(BigInt(requestData.originAmount), signature);
 */
export async function getSignature<Version extends SignatureVersion = "v1">(
  client: Client,
  parameters: GetSignatureParameters<Version>,
): Promise<GetSignatureReturnType<Version>> {
  const { requestId, version = "v1" as Version, ...options } = parameters;
  assertRequestId(requestId);
  const { schema, suffix } = chooseVersion(endpoints, version);
  return client.request({
    ...options,
    operation: "reading the signed record of a request",
    path: `/requests/${requestId}/signature${suffix}`,
    schema,
  });
}
