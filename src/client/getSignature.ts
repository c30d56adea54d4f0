import { type SignatureRecordResponse, signatureRecordSchema } from "../schema/signatureRecord.ts";
import { assertRequestId } from "./assertRequestId.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./createClient.ts";
import { type RequestErrorType, request } from "./request.ts";

/** Parameters of {@link getSignature}. */
export type GetSignatureParameters = CallOptions & {
  /** 32 bytes in hexadecimal. */
  requestId: string;
};

/** What {@link getSignature} returns. */
export type GetSignatureReturnType = SignatureRecordResponse;

/** What {@link getSignature} throws. */
export type GetSignatureErrorType = RequestErrorType;

/**
 * Reads the solver's signed record of a request (`GET /requests/{requestId}/signature`), for a contract to
 * verify.
 *
 * The answer is not verified here: recover the signer before trusting it, or let the receiver do it on chain.
 *
 * @throws GetSignatureErrorType — an unknown request id is an HttpError with status 400 and the service's
 * code.
 *
 * @example
 * import { createClient, getSignature } from "waybill/client";
 *
 * const requestId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
 * const { requestData, signature } = await getSignature(createClient(), { requestId });
 * console.log(BigInt(requestData.originAmount), signature);
 */
export async function getSignature(
  client: Client,
  parameters: GetSignatureParameters,
): Promise<GetSignatureReturnType> {
  const { requestId, ...options } = parameters;
  assertRequestId(requestId);
  return request(client, {
    ...options,
    method: "GET",
    operation: "reading the signed record of a request",
    path: `/requests/${requestId}/signature`,
    safe: true,
    schema: signatureRecordSchema,
  });
}
