import {
  type ClaimRequest,
  type ClaimResponse,
  claimRequestSchema,
  claimResponseSchema,
} from "../schema/quote/appFees.ts";
import { appFeesPath } from "./internal/appFeesPath.ts";
import type { CallOptions } from "./internal/CallOptions.ts";
import type { Client } from "./internal/Client.ts";
import { readParameters } from "./internal/readParameters.ts";
import type { RequestErrorType } from "./internal/request.ts";
import { toWireAmount } from "./internal/toQuoteRequest.ts";

/** Parameters of {@link claimAppFees}. */
export type ClaimAppFeesParameters = Omit<CallOptions, "retryCount"> &
  Omit<ClaimRequest, "amount"> & {
    /** Smallest units. Default: the whole balance. */
    amount?: bigint | string | undefined;
    /** Owner of the fees. */
    wallet: string;
  };

/** Return value of {@link claimAppFees}: a step whose signature claims the fees. */
export type ClaimAppFeesReturnType = ClaimResponse;

/** Errors of {@link claimAppFees}. */
export type ClaimAppFeesErrorType = RequestErrorType;

/**
 * Starts a claim of app fees (`POST /app-fees/{wallet}/claim`). Funds move only after the wallet signs the returned
 * step and `submitSignature` posts the signature.
 *
 * @throws ClaimAppFeesErrorType
 *
 * @example
 * import { claimAppFees, createClient, production } from "waybill/client";
 *
 * const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const { steps } = await claimAppFees(createClient(production), {
 *   chainId: 8453,
 *   currency: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
 *   recipient: wallet,
 *   wallet,
 * });
 * console.log(steps[0]?.kind); // "signature"
 */
export async function claimAppFees(
  client: Client,
  parameters: ClaimAppFeesParameters,
): Promise<ClaimAppFeesReturnType> {
  const { amount, signal, timeout, wallet, ...fields } = parameters;
  return client.request({
    body: readParameters(claimRequestSchema, {
      ...fields,
      ...(amount === undefined ? {} : { amount: toWireAmount(amount, "amount") }),
    }),
    method: "POST",
    operation: "claiming app fees",
    path: appFeesPath(wallet, "claim"),
    safe: false,
    schema: claimResponseSchema,
    signal,
    timeout,
  });
}
