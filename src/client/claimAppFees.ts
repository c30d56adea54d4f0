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
    /** Smallest units; the whole balance when left out. */
    amount?: bigint | string | undefined;
    /** Who the fees belong to. */
    wallet: string;
  };

/** What {@link claimAppFees} returns: a step whose signature claims the fees. */
export type ClaimAppFeesReturnType = ClaimResponse;

/** What {@link claimAppFees} throws. */
export type ClaimAppFeesErrorType = RequestErrorType;

/**
 * Begins a claim of app fees (`POST /app-fees/{wallet}/claim`). Nothing moves until the wallet has signed the step that
 * comes back and the signature was handed in with `submitSignature`.
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
