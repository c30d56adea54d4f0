import type { Hex } from "viem";
import { type AuthorizeRequest, authorizeRequestSchema, signatureQuerySchema } from "../schema/submission.ts";
import type { AnyText } from "./AnyText.ts";
import type { CallOptions } from "./CallOptions.ts";
import type { Client } from "./createClient.ts";
import { readParameters } from "./readParameters.ts";
import {
  type SubmitSignatureErrorType,
  type SubmitSignatureReturnType,
  submitSignature,
} from "./submitSignature.ts";

/** Parameters of {@link authorize}: the fields of the wire but `type`, and the signature. */
export type AuthorizeParameters = Omit<CallOptions, "retryCount"> &
  AnyText<Omit<AuthorizeRequest, "type">> & { signature: Hex };

/** What {@link authorize} returns. */
export type AuthorizeReturnType = SubmitSignatureReturnType;

/** What {@link authorize} throws. */
export type AuthorizeErrorType = SubmitSignatureErrorType;

/**
 * Tells the service which nonce on the perps exchange belongs to an order (`POST /authorize`). The deposit must then
 * use that very nonce.
 *
 * It is a submission, so it is never repeated by itself.
 *
 * @throws AuthorizeErrorType
 *
 * @example
 * import { authorize, createClient } from "waybill/client";
 *
 * const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * await authorize(createClient(), {
 *   depositor: wallet,
 *   id: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 *   nonce: 1_700_000_000_000,
 *   signature: `0x${"11".repeat(65)}`,
 *   signatureChainId: 1,
 *   wallet,
 *   walletChainId: 1337,
 * });
 */
export async function authorize(
  client: Client,
  parameters: AuthorizeParameters,
): Promise<AuthorizeReturnType> {
  const { signal, signature, timeout, ...fields } = parameters;
  readParameters(signatureQuerySchema, { signature });
  const body = readParameters(authorizeRequestSchema, { type: "nonce-mapping", ...fields });
  return submitSignature(client, { body, endpoint: "/authorize", signal, signature, timeout });
}
