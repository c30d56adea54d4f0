import * as z from "zod/mini";
import { evmAddressSchema, signatureSchema } from "../../schema/hex.ts";
import { quoteSchema } from "../../schema/quote.ts";
import { quoteRequestSchema } from "../../schema/quoteRequest.ts";
import { readBy } from "../../schema/readBy.ts";
import { uintStringSchema } from "../../schema/wireAmount.ts";
import type { VerifyQuoteParameters } from "./VerifyQuoteParameters.ts";

const uint = z.bigint().check(z.nonnegative());
const positive = z.optional(z.bigint().check(z.positive()));
const seconds = z.optional(z.number().check(z.positive(), z.maximum(2 ** 32)));
const flag = z.optional(z.boolean());
const contract = z.optional(evmAddressSchema);
const { shape } = quoteRequestSchema;

const intentSchema = z.object({
  user: shape.user,
  recipient: shape.recipient,
  originChainId: shape.originChainId,
  destinationChainId: shape.destinationChainId,
  originCurrency: shape.originCurrency,
  destinationCurrency: shape.destinationCurrency,
  tradeType: shape.tradeType,
  amount: z.union([uint, uintStringSchema]),
  /** Each is read by `toCall`. */
  txs: z.optional(z.array(z.unknown())),
  refundTo: shape.refundTo,
  slippageTolerance: z.optional(uintStringSchema),
  includeProtocolData: shape.includeProtocolData,
  permitExpiry: shape.permitExpiry,
  ttl: shape.ttl,
  usePermit: shape.usePermit,
});

const trustSchema = z.object({
  chains: z.array(
    z.object({
      chainId: z.int(),
      name: z.string().check(z.minLength(1)),
      vmType: z.optional(z.string()),
      depository: contract,
      relayReceiver: contract,
      routers: z.array(
        z.object({
          version: z.enum(["v2.1", "v3"]),
          router: evmAddressSchema,
          approvalProxy: evmAddressSchema,
        }),
      ),
      permit2: contract,
      wrappedNative: contract,
      outputGuard: contract,
      depositCurrencies: z.optional(z.array(evmAddressSchema)),
    }),
  ),
  solvers: z.array(evmAddressSchema),
});

const parts = {
  allowSimulatedOutput: flag,
  allowUnsignedOutput: flag,
  bounds: z.optional(z.literal("none")),
  maximumAllowance: positive,
  maximumFillSeconds: seconds,
  maximumGas: positive,
  maximumInput: positive,
  maximumPermitSeconds: seconds,
  minimumOutput: positive,
  now: z.optional(z.number()),
  price: z.optional(z.custom((value) => typeof value === "function", "not a function")),
  quote: quoteSchema,
  reader: z.optional(
    z.custom(
      (value) => typeof (value as { request?: unknown } | null)?.request === "function",
      "not a client",
    ),
  ),
  record: z.optional(z.object({ requestData: z.looseObject({}), signature: signatureSchema })),
  request: z.optional(intentSchema),
  trust: z.optional(trustSchema),
};

/**
 * Refuses parameters that a quote cannot be compared with.
 *
 * @throws InvalidParameterError that names the part.
 */
export function assertVerifyParameters(parameters: VerifyQuoteParameters): void {
  for (const [name, schema] of Object.entries(parts)) {
    readBy(schema as z.ZodMiniType, parameters[name as keyof typeof parts], name);
  }
}
