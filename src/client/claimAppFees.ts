import { claimRequestSchema, claimResponseSchema } from "../schema/quote/appFees.ts";
import type { CallOptions, Client } from "./internal/Client.ts";
import { appFeesPath, readParameters, toWireAmount } from "./internal/parameters.ts";
import { type ClaimTerms, readClaimTerms, type VerifyClaimReturnType, verifyClaim } from "./verifyClaim.ts";

export type ClaimAppFeesParameters = Omit<CallOptions, "retryCount"> & ClaimTerms;

export type ClaimAppFeesReturnType = VerifyClaimReturnType;

/**
 * Starts a claim of app fees (`POST /app-fees/{wallet}/claim`), and proves the answer by `verifyClaim`. Funds move only after
 * the wallet signs the returned step and `submitSignature` posts the signature.
 *
 * The public service asks to sign 32 bytes that name neither amount nor recipient. They are refused as `CLAIM_OPAQUE`, unless
 * `allowOpaqueMessage` accepts them.
 *
 * @throws RequestErrorType, or ClaimMismatchError for an answer that is not proven.
 *
 * @example
 * import { claimAppFees, createClient } from "waybill/client";
 *
 * const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const { steps } = await claimAppFees(createClient({ baseUrl: "http://127.0.0.1:4000" }), {
 *   chainId: 8453,
 *   currency: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
 *   minimumPayout: 1_000_000n,
 *   recipient: wallet,
 *   wallet,
 * });
 * console.log(steps[0].kind); // "signature"
 */
export async function claimAppFees(
  client: Client,
  parameters: ClaimAppFeesParameters,
): Promise<ClaimAppFeesReturnType> {
  const given = { ...parameters };
  readClaimTerms(given);
  const { allowOpaqueMessage, amount, bounds, maximumSeconds, minimumPayout, signal, timeout, ...asked } =
    given;
  const { wallet, ...fields } = asked;
  const { steps } = await client.request({
    body: readParameters(claimRequestSchema, {
      ...fields,
      ...(amount === undefined ? {} : { amount: toWireAmount(amount, "amount") }),
    }),
    operation: "claiming app fees",
    path: appFeesPath(wallet, "claim"),
    schema: claimResponseSchema,
    signal,
    timeout,
  });
  return verifyClaim({ ...given, now: client.now(), steps });
}
