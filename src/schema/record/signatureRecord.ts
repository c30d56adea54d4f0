import * as z from "zod/mini";
import { anyAddressSchema, signatureSchema } from "../wire/hex.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * Response of `GET /requests/{requestId}/signature`: the solver's signed record of a request.
 *
 * The signature covers the request id and these fields in this order, except `originTransferDestination`.
 */
export type SignatureRecordResponse = z.output<typeof signatureRecordSchema>;
export const signatureRecordSchema = wireObject({
  requestData: wireObject({
    originChainId: chainIdSchema,
    originUser: anyAddressSchema,
    originCurrency: anyAddressSchema,
    /** Smallest units. */
    originAmount: uintStringSchema,
    /** Not signed. */
    originTransferDestination: z.nullish(z.string()),
    destinationChainId: chainIdSchema,
    destinationUser: anyAddressSchema,
  }),
  signature: signatureSchema,
});

/**
 * Response of `GET /requests/{requestId}/signature/v2`: the solver's signed record of a request, without an amount and
 * with the destination currency. The signature covers the request id and these fields in this order.
 */
export type SignatureRecordV2Response = z.output<typeof signatureRecordV2Schema>;
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
