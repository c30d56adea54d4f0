import * as z from "zod";
import { type ServiceErrorCode, serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { failReasons, refundFailReasons } from "../../../src/schema/request/failReason.ts";
import { requestStatuses } from "../../../src/schema/request/requestStatus.ts";
import { bytes32Schema, evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { chainIdSchema } from "../../../src/schema/wire/wireAmount.ts";
import { isSvmAddress } from "../../../src/svm/address.ts";
import { accountText, storedAccount } from "../../chains/accountText.ts";

/** Maximum delay of a fault: one day. */
const longestDelayMs = 24 * 60 * 60 * 1_000;
const longestText = 1_000;
const delayMs = z.int().min(0).max(longestDelayMs);
const text = z.string().min(1).max(longestText);
const lowerBytes32 = z.string().toLowerCase().pipe(bytes32Schema);
const currencyPattern = /^(?:0x(?:[0-9a-fA-F]{2}){16,116}|[a-zA-Z]{1,32})$/;

/** An account of any chain. */
export const accountSchema = z
  .string()
  .refine(
    (text) => evmAddressSchema.safeParse(text).success || isSvmAddress({ address: text }),
    "an address",
  );
/** A currency of any chain, by its address or a token id such as `usdc`. The letter case matters on the SVM chain alone. */
export const currencySchema = z
  .string()
  .refine(
    (text) => currencyPattern.test(text) || isSvmAddress({ address: text }),
    "an address or a token id",
  );

const shownAddress = (text: string) => accountText(storedAccount(text));

/** Count of a fault's firings, in total or until removed, and the probability of each. */
const rate = {
  count: z.union([z.int().min(1).max(1_000_000), z.literal("always")]).default(1),
  /** The same seed, faults and calls give the same outcome. */
  probability: z.number().gt(0).max(1).default(1),
};

/** Requests that a fault applies to: all given fields must match. Without fields, any request matches. */
const match = {
  requestId: lowerBytes32.optional(),
  user: accountSchema.overwrite(shownAddress).optional(),
  referrer: text.optional(),
  originChainId: z.optional(chainIdSchema),
  destinationChainId: z.optional(chainIdSchema),
};

/** Quotes and prices that a fault applies to; they have no id yet. */
const { requestId: _, ...quoteMatch } = match;
const errorCode = z.enum(Object.keys(serviceErrorCodes) as [ServiceErrorCode, ...ServiceErrorCode[]]);

const failReason = z.enum(failReasons);
const refundFailReason = z.enum(refundFailReasons);

const deliveryMatch = {
  requestId: lowerBytes32.optional(),
  channel: z.enum(["webhook", "websocket"]).optional(),
  status: z.enum(requestStatuses).optional(),
};

/** HTTP requests that a fault applies to: an exact path, or a prefix that ends in `*`. Paths below `/admin` never match. */
const routeMatch = {
  path: z
    .string()
    .max(longestText)
    .regex(/^\/[^*]*\*?$/, "a path such as /quote/v2, or a prefix such as /requests/*"),
  method: z.string().max(20).toUpperCase().optional(),
};

/** Schema of all faults; see `docs/reference/control.md`. */
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
    /** Output currency, by address or token id. @default every currency */
    currency: currencySchema.overwrite(shownAddress).optional(),
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
  z.strictObject({ kind: z.literal("fill-unconfirmed"), delayMs, ...match, ...rate }),
  z.strictObject({ kind: z.literal("signed-deposit-slow"), delayMs, ...match, ...rate }),
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

/** A fault as given by the caller. */
export type FaultInput = z.input<typeof faultSpecSchema>;
/** A fault with all defaults filled in. */
export type FaultSpec = z.output<typeof faultSpecSchema>;
export type FaultKind = FaultSpec["kind"];

/** Schema of a stored fault with its progress. */
export const faultSchema = z.object({
  id: z.string(),
  spec: faultSpecSchema,
  fired: z.int(),
  /** Unix milliseconds until which each delayed request waits, by request id. */
  until: z.record(z.string(), z.number()),
});

/** See {@link faultSchema}. */
export type Fault = z.output<typeof faultSchema>;
