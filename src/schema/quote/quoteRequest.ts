import * as z from "zod/mini";
import { sponsoredComponentsV2 } from "../record/feeSponsorship.ts";
import { anyAddressSchema, evmAddressSchema, hexSchema } from "../wire/hex.ts";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { tradeTypeSchema } from "./tradeType.ts";

const flag = z.optional(z.boolean());
const optionalAddress = z.optional(anyAddressSchema);
const wholeNumber = z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER));
const names = z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(64)));
const text = z.optional(z.string().check(z.maxLength(1024)));

/**
 * One call that the service makes on the destination chain, in the order given. `value` is in wei; left out
 * it is zero, and left out calldata is empty.
 *
 * @example
 * quoteCallSchema.parse({ data: "0x", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", value: "1" });
 */
export const quoteCallSchema = wireObject({
  to: evmAddressSchema,
  value: z.optional(uintStringSchema),
  data: z.optional(hexSchema),
});

/** One call on the destination chain, as the wire carries it. */
export type QuoteCall = z.output<typeof quoteCallSchema>;

/**
 * Authorizations of EIP-7702 that go along with a transaction.
 *
 * @example
 * authorizationListSchema.safeParse([{ address: "0x12" }]).success; // false
 */
export const authorizationListSchema = z
  .array(
    wireObject({
      chainId: wholeNumber,
      address: evmAddressSchema,
      nonce: wholeNumber,
      yParity: wholeNumber,
      r: hexSchema,
      s: hexSchema,
    }),
  )
  .check(z.maxLength(64));

/**
 * Body of `POST /quote/v2`: what a client may send.
 *
 * Types and numbers are checked strictly, chains are not: an address is only checked to be one word, since
 * its format depends on the chain's virtual machine; slippage and amounts are only checked to be readable.
 * Check the chain's own rules with `evmAddressSchema` and its like. Unknown fields pass.
 *
 * @example
 * quoteRequestSchema.safeParse({
 *   amount: "-1",
 *   destinationChainId: 10,
 *   destinationCurrency: "0x0000000000000000000000000000000000000000",
 *   originChainId: 8453,
 *   originCurrency: "0x0000000000000000000000000000000000000000",
 *   tradeType: "EXACT_INPUT",
 *   user: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
 * }).success; // false: the amount is negative
 */
export const quoteRequestSchema = wireObject({
  /** Who deposits on the origin chain. */
  user: anyAddressSchema,
  /** Who receives on the destination chain; `user` when left out. */
  recipient: optionalAddress,
  originChainId: chainIdSchema,
  destinationChainId: chainIdSchema,
  /** Address, or the service's id of the currency (`usdc`), which `verifyQuote` does not take. */
  originCurrency: anyAddressSchema,
  /** Address or id, as above. */
  destinationCurrency: anyAddressSchema,
  /**
   * Smallest units of the input, or of the output, as `tradeType` says. With `txs`: the sum of their
   * values.
   */
  amount: uintStringSchema,
  tradeType: tradeTypeSchema,
  txs: z.optional(z.array(quoteCallSchema).check(z.maxLength(256))),
  /** Gas limit of all `txs` together. */
  txsGasLimit: z.optional(wholeNumber),
  authorizationList: z.optional(authorizationListSchema),
  /** Who gets the money back if the fill cannot be done. */
  refundTo: optionalAddress,
  /** Mandatory, and `v2`, for withdrawals from the perps exchange. */
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
  permitExpiry: z.optional(wholeNumber),
  /** Asks for `protocol.v2.orderSignature`. */
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
  gasLimitForDepositSpecifiedTxs: z.optional(wholeNumber),
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
  originGasOverhead: z.optional(wholeNumber),
  depositFeePayer: optionalAddress,
  maxRouteLength: z.optional(wholeNumber),
  useSharedAccounts: flag,
  includeComputeUnitLimit: flag,
  overridePriceImpact: flag,
  disableSwapProviderPreference: flag,
  disableOriginSwaps: flag,
  fixedRate: z.optional(z.string().check(z.maxLength(64))),
  /** Seconds from the quote within which the request must be filled, or it is refunded. */
  ttl: z.optional(wholeNumber),
});

/** Body of `POST /quote/v2`, as the wire carries it. */
export type QuoteRequest = z.output<typeof quoteRequestSchema>;
