import * as z from "zod/mini";
import { sponsoredComponentsV2 } from "../record/feeSponsorshipV2.ts";
import { anyAddressSchema, evmAddressSchema, hexSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, uintStringSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { tradeTypeSchema } from "./tradeType.ts";

const whole = wholeNumber();
const flag = z.optional(z.boolean());
const optionalAddress = z.optional(anyAddressSchema);
const names = z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(64)));
const text = z.optional(z.string().check(z.maxLength(1024)));

/** A call on the destination chain, executed in order. `value` is in wei; default zero. Default calldata: empty. */
export type QuoteCall = z.output<typeof quoteCallSchema>;
export const quoteCallSchema = wireObject({
  to: evmAddressSchema,
  value: z.optional(uintStringSchema),
  data: z.optional(hexSchema),
});

/** EIP-7702 authorizations of a transaction. */
export const authorizationListSchema = z
  .array(
    wireObject({
      chainId: whole,
      address: evmAddressSchema,
      nonce: whole,
      yParity: whole,
      r: hexSchema,
      s: hexSchema,
    }),
  )
  .check(z.maxLength(64));

/** Gas of the code that wraps an account's calls: a number in the service's types, text in its samples. */
export const gasOverheadSchema = z.optional(
  z.union([whole, z.string().check(z.regex(/^[0-9]{1,15}$/, "not a whole number"))]),
);

/**
 * Body of `POST /quote/v2`: parameters of a quote.
 *
 * Validates types and numbers strictly, but not by chain: an address is any single word, because its format depends on
 * the VM. Validate a known chain's addresses with `evmAddressSchema` and similar schemas. Accepts unknown fields.
 */
export type QuoteRequest = z.output<typeof quoteRequestSchema>;
export const quoteRequestSchema = wireObject({
  /** Depositor on the origin chain. */
  user: anyAddressSchema,
  /** Recipient on the destination chain. Default: `user`. */
  recipient: optionalAddress,
  originChainId: chainIdSchema,
  destinationChainId: chainIdSchema,
  /** Address, or the service's currency id (`usdc`), which `verifyQuote` rejects. */
  originCurrency: anyAddressSchema,
  /** Address or id, as above. */
  destinationCurrency: anyAddressSchema,
  /** Smallest units of the input, or of the output, as `tradeType` says. With `txs`: the sum of their values. */
  amount: uintStringSchema,
  tradeType: tradeTypeSchema,
  txs: z.optional(z.array(quoteCallSchema).check(z.maxLength(256))),
  /** Gas limit of all `txs` together. */
  txsGasLimit: z.optional(whole),
  authorizationList: z.optional(authorizationListSchema),
  /** Recipient of refunds. Without it the service sends none by itself. */
  refundTo: optionalAddress,
  /** Must be `v2` for withdrawals from the perps exchange. */
  protocolVersion: z.optional(z.string().check(z.minLength(1), z.maxLength(16))),
  /** Echoed on the request record and in webhooks. */
  referrer: text,
  referrerAddress: optionalAddress,
  additionalData: z.optional(wireObject({ userPublicKey: z.optional(z.string().check(z.maxLength(256))) })),
  recoveryAddress: optionalAddress,
  refundOnOrigin: flag,
  topupGas: flag,
  /** Millionths of a dollar. */
  topupGasAmount: z.optional(uintStringSchema),
  enableTrueExactOutput: flag,
  explicitDeposit: flag,
  useExternalLiquidity: flag,
  useFallbacks: flag,
  usePermit: flag,
  /** Seconds. */
  permitExpiry: z.optional(whole),
  /** Requests `protocol.v2.orderSignature`. */
  includeProtocolData: flag,
  useDepositAddress: flag,
  strict: flag,
  /** Basis points from 0 to 10000, as a string. */
  slippageTolerance: z.optional(z.string().check(z.maxLength(32))),
  latePaymentSlippageTolerance: z.optional(z.string().check(z.maxLength(32))),
  /** Fees in basis points, as strings. */
  appFees: z.optional(
    z.array(wireObject({ recipient: anyAddressSchema, fee: uintStringSchema })).check(z.maxLength(64)),
  ),
  gasLimitForDepositSpecifiedTxs: z.optional(whole),
  forceSolverExecution: flag,
  subsidizeFees: flag,
  sponsoredFeeComponents: z.optional(z.array(openEnum(sponsoredComponentsV2)).check(z.maxLength(64))),
  /** Millionths of a dollar. */
  maxSubsidizationAmount: z.optional(uintStringSchema),
  subsidizeRent: flag,
  includedSwapSources: names,
  excludedSwapSources: names,
  includedOriginSwapSources: names,
  includedDestinationSwapSources: names,
  originGasOverhead: gasOverheadSchema,
  depositFeePayer: optionalAddress,
  maxRouteLength: z.optional(whole),
  useSharedAccounts: flag,
  includeComputeUnitLimit: flag,
  overridePriceImpact: flag,
  disableSwapProviderPreference: flag,
  disableOriginSwaps: flag,
  fixedRate: z.optional(z.string().check(z.maxLength(64))),
  /** Seconds from the quote until the request is refunded unless filled. */
  ttl: z.optional(whole),
});
