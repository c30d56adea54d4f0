import * as z from "zod/mini";
import type { Quote } from "../../schema/quote/quote.ts";
import { type TradeType, tradeTypeSchema } from "../../schema/quote/tradeType.ts";
import { anyAddressSchema, signatureSchema } from "../../schema/wire/hex.ts";
import { readBy } from "../../schema/wire/readBy.ts";
import { chainIdSchema, uintStringSchema, wholeNumber } from "../../schema/wire/wireAmount.ts";
import type { ChainClient } from "../callChain.ts";
import type { ToCallParameters } from "../toCall.ts";
import type { QuoteSimulator } from "./routedCalls.ts";
import { trustSchema } from "./TrustRoots.ts";

const basisPoints = z.optional(wholeNumber(0, 10_000));
const flag = z.optional(z.boolean());
const seconds = z.optional(z.number().check(z.minimum(1), z.maximum(2 ** 32)));
const wholeSeconds = z.optional(wholeNumber());
const amount = z.optional(
  z.custom<bigint>((value) => typeof value === "bigint" && value > 0n, "not a positive bigint"),
);
/** Passed by reference, because it may be a wallet: zod copies objects. */
const client = z.optional(
  z.custom<ChainClient>((value) => typeof Object(value).request === "function", "not a client"),
);

function callback<Callback>() {
  return z.optional(z.custom<Callback>((value) => typeof value === "function", "not a function"));
}

/** A question to the caller's price source, about the side that the request leaves open. */
export type PriceQuestion = {
  /** Amount of the fixed side, in smallest units. */
  readonly amount: bigint;
  /** The side to price. */
  readonly side: "input" | "output";
  readonly tradeType: TradeType;
  readonly originChainId: number;
  readonly originCurrency: string;
  readonly destinationChainId: number;
  readonly destinationCurrency: string;
};

export const recordSchema = z.object({ signature: signatureSchema });

const boundsSchema = z.object({
  /** Minimum output. */
  minimumOutput: amount,
  /** Maximum input. */
  maximumInput: amount,
  /**
   * Returns the fair amount of the open side, without fees. The bound of an output takes `priceTolerance` off, then the
   * request's `slippageTolerance`, or 200 basis points; the bound of an input adds the slippage. Called once for each
   * proof.
   */
  price: callback<(question: PriceQuestion) => bigint | Promise<bigint>>(),
  /** Share of the fair output that fees may take, in basis points. Default: 200. */
  priceTolerance: basisPoints,
  /** Accepts any price. */
  bounds: z.optional(z.enum(["none"])),
});

/** The parts of a policy. */
export const policySchema = z.object({
  ...boundsSchema.shape,
  /** Default `productionTrust`. */
  trust: z.optional(trustSchema),
  /** Accepts payments under a request id. The solver signs their recipient and chain, but not the amount. Default: false. */
  allowUnsignedOutput: flag,
  /** Accepts routes whose output only `simulate` checks, when no guard can follow the calls. Default: false. */
  allowSimulatedOutput: flag,
  /** `quoteSimulator` with your own node. */
  simulate: callback<QuoteSimulator>(),
  /** Maximum gas of a step. Default: 10,000,000. */
  maximumGas: amount,
  /** Maximum fee of a transaction in wei: gas limit times the highest gas price. Default: 0.1 native, 10^17. */
  maximumFee: amount,
  /** Maximum of the request's `slippageTolerance`, in basis points. Default: 1,000. */
  maximumSlippage: basisPoints,
  /** Maximum seconds that an order stays open, whatever `ttl` the request has. Default: its `ttl`, or seven days. */
  maximumFillSeconds: seconds,
  /** Maximum validity of a permit in seconds, whatever `permitExpiry` the request has. Default: that, or one hour. */
  maximumPermitSeconds: seconds,
  /** Maximum allowance for Permit2. Default: the payment's amount. */
  maximumAllowance: amount,
  /** Reads the origin chain. Use your own node. */
  reader: client,
  /** Reads the destination chain, to compare the output's symbol and decimals with the token's. */
  destinationReader: client,
  /** The solver's signature of the record, for `allowUnsignedOutput`. `execute` fetches it. */
  record: z.optional(recordSchema),
  /** Unix milliseconds. Default the present. */
  now: z.optional(z.number()),
});

const intentSchema = z.object({
  user: anyAddressSchema,
  recipient: z.optional(anyAddressSchema),
  originChainId: chainIdSchema,
  destinationChainId: chainIdSchema,
  originCurrency: anyAddressSchema,
  destinationCurrency: anyAddressSchema,
  tradeType: tradeTypeSchema,
  amount: z.union([z.custom<bigint>((value) => typeof value === "bigint" && value >= 0n), uintStringSchema]),
  /** `toCall` parses each. */
  txs: z.optional(z.custom<readonly ToCallParameters[]>(Array.isArray)),
  refundTo: z.optional(anyAddressSchema),
  slippageTolerance: z.optional(uintStringSchema),
  includeProtocolData: flag,
  permitExpiry: wholeSeconds,
  ttl: wholeSeconds,
  usePermit: flag,
  explicitDeposit: flag,
  topupGas: flag,
});

/** The solver's signature of a request's record, from `getSignature`. The record is rebuilt from the request. */
export type SignedRecord = Readonly<z.output<typeof recordSchema>>;

/** Bounds of a quote, in smallest units. A request with a fixed input needs a minimum output; others need a maximum input. */
export type QuoteBounds = Readonly<z.output<typeof boundsSchema>>;

/** Policy of the caller, independent of the quote. */
export type QuotePolicy = Readonly<z.output<typeof policySchema>>;

/** The parameters of `getQuote` that a proof reads. */
export type QuoteIntent = Readonly<z.output<typeof intentSchema>>;

export type VerifyQuoteParameters = QuotePolicy & {
  readonly quote: Quote;
  /** Parameters of `getQuote`. */
  readonly request: QuoteIntent;
};

/**
 * Reads the parameters of `verifyQuote`, each once, and inherited ones too: what is validated is what bounds the proof.
 *
 * @throws InvalidParameterError that names the part.
 */
export function readVerifyParameters(parameters: VerifyQuoteParameters) {
  const policy = Object.entries(policySchema.shape).map(([name, schema]) => [
    name,
    readBy(schema, parameters[name as keyof QuotePolicy], name),
  ]);
  const request: QuoteIntent = readBy(intentSchema, parameters.request, "request");
  return { policy: Object.fromEntries(policy) as QuotePolicy, request };
}
