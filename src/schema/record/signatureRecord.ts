import * as z from "zod/mini";
import { anyAddressSchema, signatureSchema } from "../wire/hex.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * Response of `GET /requests/{requestId}/signature`: the solver's signed record of a request.
 *
 * The signature covers the request id and these fields in this order, except `originTransferDestination`.
 *
 * @example
 * signatureRecordSchema.parse({
 *   requestData: {
 *     destinationChainId: 7777777,
 *     destinationUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
 *     originAmount: "700000000000000000",
 *     originChainId: 1,
 *     originCurrency: "0x0000000000000000000000000000000000000000",
 *     originUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
 *   },
 *   signature: `0x${"11".repeat(65)}`,
 * });
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
