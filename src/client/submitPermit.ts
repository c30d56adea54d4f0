import type { Hex } from "viem";
import { type PermitRequest, permitRequestSchema, signatureQuerySchema } from "../schema/quote/submission.ts";
import type { AnyText, CallOptions, Client } from "./internal/Client.ts";
import { readParameters } from "./internal/parameters.ts";
import { type SubmitSignatureReturnType, submitSignature } from "./submitSignature.ts";

/** The fields of the wire, and the signature. */
export type SubmitPermitParameters = Omit<CallOptions, "retryCount"> &
  AnyText<PermitRequest> & { signature: Hex };

export type SubmitPermitReturnType = SubmitSignatureReturnType;

/**
 * Submits a signed permit, so that the service can pull the deposit (`POST /execute/permits`). `execute` does this for
 * the steps of a quote.
 *
 * A submission: never retried. After a lost response, read the request's status first.
 *
 * `steps` of the answer are data, like those of a quote: `execute` proves them together.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, production, submitPermit } from "waybill/client";
 *
 * const { steps = [] } = await submitPermit(createClient(production), {
 *   kind: "permit2",
 *   requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 *   signature: `0x${"11".repeat(65)}`,
 * });
 * console.log(steps.length); // steps to execute after those of the quote
 */
export async function submitPermit(
  client: Client,
  parameters: SubmitPermitParameters,
): Promise<SubmitPermitReturnType> {
  const { signal, signature, timeout, ...fields } = parameters;
  readParameters(signatureQuerySchema, { signature });
  const body = readParameters(permitRequestSchema, fields);
  return submitSignature(client, { body, endpoint: "/execute/permits", signal, signature, timeout });
}
