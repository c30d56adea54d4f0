import type { Hex } from "viem";
import {
  type AuthorizeRequest,
  authorizeRequestSchema,
  signatureQuerySchema,
} from "../schema/quote/submission.ts";
import type { AnyText, CallOptions, Client } from "./internal/Client.ts";
import { readParameters } from "./internal/parameters.ts";
import { type SubmitSignatureReturnType, submitSignature } from "./submitSignature.ts";

/** The fields of the wire but `type`, and the signature. */
export type AuthorizeParameters = Omit<CallOptions, "retryCount"> &
  AnyText<Omit<AuthorizeRequest, "type">> & { signature: Hex };

export type AuthorizeReturnType = SubmitSignatureReturnType;

/**
 * Maps a nonce of the perps exchange to an order (`POST /authorize`). The deposit must use that nonce.
 *
 * A submission: never retried automatically. The answer's `steps` are data, which a withdrawal never needs.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { authorize, createClient, production } from "waybill/client";
 * import { nonceMappingBody, nonceMappingTypedData } from "waybill/perps";
 *
 * const account = mnemonicToAccount("test test test test test test test test test test test junk");
 * const mapping = {
 *   depositor: account.address,
 *   nonce: BigInt(Date.now()),
 *   orderId: `0x${"0d".repeat(32)}`,
 *   wallet: account.address,
 * } as const;
 * const signature = await account.signTypedData(nonceMappingTypedData(mapping));
 * await authorize(createClient(production), { ...nonceMappingBody(mapping), signature });
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
