import * as z from "zod/mini";
import { tradeTypeSchema } from "../../schema/quote/tradeType.ts";
import { anyAddressSchema, evmAddressSchema, signatureSchema } from "../../schema/wire/hex.ts";
import { readBy } from "../../schema/wire/readBy.ts";
import { chainIdSchema, uintStringSchema } from "../../schema/wire/wireAmount.ts";
import type { VerifyQuoteParameters } from "./VerifyQuoteParameters.ts";

const uint = z.bigint().check(z.nonnegative());
const positive = z.optional(z.bigint().check(z.positive()));
const seconds = z.optional(z.number().check(z.positive(), z.maximum(2 ** 32)));
const basisPoints = z.optional(z.int().check(z.gte(0), z.lte(10_000)));
const flag = z.optional(z.boolean());
const contract = z.optional(evmAddressSchema);
/** Passed by reference, because it may be a wallet: zod copies objects. */
const client = z.optional(
  z.custom((value) => typeof (value as { request?: unknown } | null)?.request === "function", "not a client"),
);
const callback = z.optional(z.custom((value) => typeof value === "function", "not a function"));
const wholeSeconds = z.optional(z.int().check(z.nonnegative()));

const intentSchema = z.object({
  user: anyAddressSchema,
  recipient: z.optional(anyAddressSchema),
  originChainId: chainIdSchema,
  destinationChainId: chainIdSchema,
  originCurrency: anyAddressSchema,
  destinationCurrency: anyAddressSchema,
  tradeType: tradeTypeSchema,
  amount: z.union([uint, uintStringSchema]),
  /** `toCall` parses each. */
  txs: z.optional(z.array(z.unknown())),
  explicitDeposit: flag,
  refundTo: z.optional(anyAddressSchema),
  slippageTolerance: z.optional(uintStringSchema),
  includeProtocolData: flag,
  permitExpiry: wholeSeconds,
  topupGas: flag,
  ttl: wholeSeconds,
  usePermit: flag,
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
  destinationReader: client,
  maximumAllowance: positive,
  maximumFee: positive,
  maximumFillSeconds: seconds,
  maximumGas: positive,
  maximumInput: positive,
  maximumPermitSeconds: seconds,
  maximumSlippage: basisPoints,
  minimumOutput: positive,
  now: z.optional(z.number()),
  price: callback,
  priceTolerance: basisPoints,
  reader: client,
  record: z.optional(z.looseObject({ signature: signatureSchema })),
  request: intentSchema,
  simulate: callback,
  trust: z.optional(trustSchema),
};

/**
 * Rejects invalid parameters of `verifyQuote`.
 *
 * @throws InvalidParameterError that names the part.
 */
export function assertVerifyParameters(parameters: VerifyQuoteParameters): void {
  for (const [name, schema] of Object.entries(parts)) {
    readBy(schema as z.ZodMiniType, parameters[name as keyof typeof parts], name);
  }
}
