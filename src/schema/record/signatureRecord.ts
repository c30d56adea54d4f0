import * as z from "zod/mini";
import { anyAddressSchema, signatureSchema } from "../wire/hex.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * Response of `GET /requests/{requestId}/signature`: the solver's signed record of a request.
 *
 * The signature covers the request id and these fields in this order, except `originTransferDestination`.
 */
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

/** Response of `GET /requests/{requestId}/signature`, in wire format. */
export type SignatureRecordResponse = z.output<typeof signatureRecordSchema>;
