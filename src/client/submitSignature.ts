import type { Hex } from "viem";
import { readHex } from "../internal/readHex.ts";
import { readObject } from "../internal/readParts.ts";
import { type Submission, submissionSchema } from "../schema/quote/submissionResponse.ts";
import type { CallOptions, Client } from "./internal/Client.ts";

export type SubmitSignatureParameters = Omit<CallOptions, "retryCount"> & {
  /** The step's `post.body`, unchanged. */
  body: Readonly<Record<string, unknown>>;
  /** The step's `post.endpoint`; must be a path of the service. */
  endpoint: string;
  signature: Hex;
};

export type SubmitSignatureReturnType = Submission;

/**
 * Submits the signature of a signature step: posts the body, with the signature as a query parameter.
 *
 * A submission: never retried. After a lost response, read the request's status first.
 *
 * `steps` of the answer are data, like those of a quote: `execute` proves them together.
 *
 * @throws RequestErrorType
 *
 * @example
 * import { createClient, production, submitSignature } from "waybill/client";
 *
 * const { steps = [] } = await submitSignature(createClient(production), {
 *   body: {
 *     kind: "eip3009",
 *     requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 *   },
 *   endpoint: "/execute/permits",
 *   signature: `0x${"11".repeat(65)}`,
 * });
 * console.log(steps.length);
 */
export async function submitSignature(
  client: Client,
  parameters: SubmitSignatureParameters,
): Promise<SubmitSignatureReturnType> {
  const { body, endpoint, signal, signature, timeout } = parameters;
  return client.request({
    body: readObject(body, "body"),
    maxResponseBytes: 1_000_000,
    operation: "handing in a signature",
    path: endpoint,
    query: { signature: readHex(signature, "signature") },
    schema: submissionSchema,
    signal,
    timeout,
  });
}
