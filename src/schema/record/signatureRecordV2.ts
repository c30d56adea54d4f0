import type * as z from "zod/mini";
import { anyAddressSchema, signatureSchema } from "../wire/hex.ts";
import { chainIdSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * Response of `GET /requests/{requestId}/signature/v2`: the solver's signed record of a request, without an amount and
 * with the destination currency. The signature covers the request id and these fields in this order.
 *
 * @example
 * signatureRecordV2Schema.parse({
 *   requestData: {
 *     destinationChainId: 7777777,
 *     destinationCurrency: "0x0000000000000000000000000000000000000000",
 *     destinationUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
 *     originChainId: 1,
 *     originCurrency: "0x0000000000000000000000000000000000000000",
 *     originUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
 *   },
 *   signature: `0x${"11".repeat(65)}`,
 * });
 */
export const signatureRecordV2Schema = wireObject({
  requestData: wireObject({
    originChainId: chainIdSchema,
    originUser: anyAddressSchema,
    originCurrency: anyAddressSchema,
    destinationChainId: chainIdSchema,
    destinationUser: anyAddressSchema,
    destinationCurrency: anyAddressSchema,
  }),
  signature: signatureSchema,
});

/** Response of `GET /requests/{requestId}/signature/v2`, in wire format. */
export type SignatureRecordV2Response = z.output<typeof signatureRecordV2Schema>;
