import * as z from "zod";
import { type ServiceErrorCode, serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { failReasons } from "../../../src/schema/failReason.ts";
import { bytes32Schema, evmAddressSchema } from "../../../src/schema/hex.ts";
import { refundFailReasons } from "../../../src/schema/refundFailReason.ts";
import { requestStatuses } from "../../../src/schema/requestStatus.ts";
import { chainIdSchema } from "../../../src/schema/wireAmount.ts";

/** A day: nobody waits longer for a fault. */
const longestDelayMs = 24 * 60 * 60 * 1_000;
const longestText = 1_000;
const delayMs = z.int().min(0).max(longestDelayMs);
const text = z.string().min(1).max(longestText);
const lowerBytes32 = z.string().toLowerCase().pipe(bytes32Schema);
const lowerAddress = z.string().toLowerCase().pipe(evmAddressSchema);

/** An address, or a token id such as `usdc`, in any letter case. */
export const currencySchema = z
  .string()
  .regex(/^(?:0x[0-9a-fA-F]{40}|[a-zA-Z]{1,32})$/, "an address or a token id");

/** How often a fault fires: so many times, or until it is removed; and by what chance, each time it could. */
const rate = {
  count: z.union([z.int().min(1).max(1_000_000), z.literal("always")]).default(1),
  /** The same seed, faults and calls give the same outcome. */
  probability: z.number().gt(0).max(1).default(1),
};

/** Which requests a fault strikes: those that have everything that is named; without anything, the next one. */
const match = {
  requestId: lowerBytes32.optional(),
  user: lowerAddress.optional(),
  referrer: text.optional(),
  originChainId: z.optional(chainIdSchema),
  destinationChainId: z.optional(chainIdSchema),
};

/** Which quotes and prices a fault strikes: they have no id yet. */
const { requestId: _, ...quoteMatch } = match;
const errorCode = z.enum(Object.keys(serviceErrorCodes) as [ServiceErrorCode, ...ServiceErrorCode[]]);

const failReason = z.enum(failReasons);
const refundFailReason = z.enum(refundFailReasons);

/** Which deliveries a fault strikes. */
const deliveryMatch = {
  requestId: lowerBytes32.optional(),
  channel: z.enum(["webhook", "websocket"]).optional(),
  status: z.enum(requestStatuses).optional(),
};

/** Which HTTP requests a fault strikes: a path, or what begins with it when it ends in `*`. Never what is below `/admin`. */
const routeMatch = {
  path: z
    .string()
    .max(longestText)
    .regex(/^\/[^*]*\*?$/, "a path such as /quote/v2, or a beginning such as /requests/*"),
  method: z.string().max(20).toUpperCase().optional(),
};

/** Everything that can be made to go wrong. See `docs/emulator.md`. */
export const faultSpecSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("fill-fails"),
    failReason: failReason.exclude(["N/A"]),
    details: text.optional(),
    ...match,
    ...rate,
  }),
  z.strictObject({ kind: z.literal("fill-slow"), delayMs, ...match, ...rate }),
  z.strictObject({
    kind: z.literal("solver-broke"),
    destinationChainId: chainIdSchema,
    /** What is delivered, by address or token id; every currency when left out. */
    currency: currencySchema.toLowerCase().optional(),
    ...rate,
    count: rate.count.unwrap().default("always"),
  }),
  z.strictObject({
    kind: z.literal("refund-rejected"),
    refundFailReason: refundFailReason.exclude(["N/A"]).optional(),
    details: text.default("The recipient rejected the refund"),
    ...match,
    ...rate,
  }),
  z.strictObject({ kind: z.literal("transient-failure"), delayMs: delayMs.default(0), ...match, ...rate }),
  z.strictObject({ kind: z.literal("deposit-ignored"), delayMs, ...match, ...rate }),
  z.strictObject({
    kind: z.literal("quote-refused"),
    errorCode,
    message: text.optional(),
    errorData: z.union([text, z.record(text, z.unknown())]).optional(),
    ...quoteMatch,
    ...rate,
  }),
  z.strictObject({ kind: z.literal("delivery-dropped"), ...deliveryMatch, ...rate }),
  z.strictObject({ kind: z.literal("delivery-duplicated"), ...deliveryMatch, ...rate }),
  z.strictObject({ kind: z.literal("delivery-reordered"), ...deliveryMatch, ...rate }),
  z.strictObject({ kind: z.literal("route-limited"), ...routeMatch, ...rate }),
  z.strictObject({
    kind: z.literal("route-broken"),
    status: z.int().min(500).max(599),
    delayMs: delayMs.default(0),
    ...routeMatch,
    ...rate,
  }),
  z.strictObject({ kind: z.literal("route-slow"), delayMs, ...routeMatch, ...rate }),
]);

/** A fault as it is asked for. */
export type FaultInput = z.input<typeof faultSpecSchema>;
/** The same with everything that may be left out. */
export type FaultSpec = z.output<typeof faultSpecSchema>;
export type FaultKind = FaultSpec["kind"];

/** A fault with what became of it; this is what is stored. */
export const faultSchema = z.object({
  id: z.string(),
  spec: faultSpecSchema,
  fired: z.int(),
  /** Requests that wait because of it, and until when; unix milliseconds. */
  until: z.record(z.string(), z.number()),
});

/** See {@link faultSchema}. */
export type Fault = z.output<typeof faultSchema>;
