import * as z from "zod/mini";
import { chainSchema } from "../../schema/chain.ts";
import { quoteSchema } from "../../schema/quote.ts";
import { quoteRequestSchema } from "../../schema/quoteRequest.ts";
import { readBy } from "../../schema/readBy.ts";
import { uintStringSchema } from "../../schema/wireAmount.ts";
import type { VerifyQuoteParameters } from "./VerifyQuoteParameters.ts";

const uint = z.bigint().check(z.nonnegative());
const texts = z.optional(z.array(z.string()));
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
});

const parts = {
  chains: z.optional(z.array(chainSchema)),
  contracts: texts,
  maximumInput: z.optional(z.bigint()),
  minimumOutput: z.optional(z.bigint()),
  now: z.optional(z.number()),
  quote: quoteSchema,
  request: z.optional(intentSchema),
  solvers: texts,
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
