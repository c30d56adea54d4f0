import * as z from "zod/mini";
import { anyAddressSchema, bytes32Schema, evmAddressSchema, signatureSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, uintStringSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Signature kinds of `POST /execute/permits`. */
const permitKinds = ["eip3009", "permit", "permit2", "claim"] as const;

/** Query of every signature submission. */
export const signatureQuerySchema = wireObject({ signature: signatureSchema });

/** Body of `POST /execute/permits`, in wire format. */
export type PermitRequest = z.output<typeof permitRequestSchema>;
export const permitRequestSchema = wireObject({
  kind: openEnum(permitKinds),
  requestId: bytes32Schema,
  api: z.optional(z.enum(["bridge", "swap", "user-swap"])),
});

/** Body of `POST /authorize`: which nonce on the perps exchange belongs to which request. */
export type AuthorizeRequest = z.output<typeof authorizeRequestSchema>;
export const authorizeRequestSchema = wireObject({
  type: z.literal("nonce-mapping"),
  walletChainId: chainIdSchema,
  wallet: anyAddressSchema,
  /** Absent in quotes before version 2 of the typed data. */
  depositor: z.optional(evmAddressSchema),
  nonce: z.union([wholeNumber(), uintStringSchema]),
  /** The order id. */
  id: bytes32Schema,
  /** Chain of the signature's domain; does not affect the funds. */
  signatureChainId: chainIdSchema,
});
