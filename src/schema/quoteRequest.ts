import * as z from "zod";
import { anyAddressSchema, evmAddressSchema, hexSchema } from "./hex.ts";
import { tradeTypeSchema } from "./tradeType.ts";
import { chainIdSchema, uintStringSchema } from "./wireAmount.ts";
import { wireObject } from "./wireObject.ts";

const flag = z.boolean().optional();
const optionalAddress = anyAddressSchema.optional();
const wholeNumber = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const names = z.array(z.string().min(1).max(64)).max(64).optional();
const text = z.string().max(1024).optional();

/**
 * One call that the service makes on the destination chain, in the order given. `value` is in wei; left out
 * it is zero, and left out calldata is empty.
 *
 * @example
 * quoteCallSchema.parse({ data: "0x", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", value: "1" });
 */
export const quoteCallSchema = wireObject({
  to: evmAddressSchema,
  value: uintStringSchema.optional(),
  data: hexSchema.optional(),
});

/** One call on the destination chain, as the wire carries it. */
export type QuoteCall = z.output<typeof quoteCallSchema>;

/**
 * Body of `POST /quote/v2`: what a client may send.
 *
 * It is strict about types and numbers, and knows nothing of chains: an address is only checked to be one
 * word, since its format depends on the chain's virtual machine; slippage and amounts are only checked to
 * be readable. Whoever knows the chain checks them with `evmAddressSchema` and its like. Unknown fields
 * pass.
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
  originCurrency: anyAddressSchema,
  destinationCurrency: anyAddressSchema,
  /**
   * Smallest units of the input, or of the output, as `tradeType` says. With `txs`: the sum of their
   * values.
   */
  amount: uintStringSchema,
  tradeType: tradeTypeSchema,
  txs: z.array(quoteCallSchema).max(256).optional(),
  /** Gas limit of all `txs` together. */
  txsGasLimit: wholeNumber.optional(),
  authorizationList: z
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
    .max(64)
    .optional(),
  /** Who gets the money back if the fill cannot be done. */
  refundTo: optionalAddress,
  /** Mandatory, and `v2`, for withdrawals from the perps exchange. */
  protocolVersion: z.string().min(1).max(16).optional(),
  /** Echoed on the request record and in webhooks. */
  referrer: text,
  referrerAddress: optionalAddress,
  additionalData: wireObject({ userPublicKey: z.string().max(256).optional() }).optional(),
  recoveryAddress: optionalAddress,
  refundOnOrigin: flag,
  topupGas: flag,
  /** Millionths of a dollar. */
  topupGasAmount: uintStringSchema.optional(),
  enableTrueExactOutput: flag,
  explicitDeposit: flag,
  useExternalLiquidity: flag,
  useFallbacks: flag,
  usePermit: flag,
  /** Seconds. */
  permitExpiry: wholeNumber.optional(),
  /** Asks for `protocol.v2.orderSignature`. */
  includeProtocolData: flag,
  useDepositAddress: flag,
  strict: flag,
  /** Basis points from 0 to 10000, as a string. */
  slippageTolerance: z.string().max(32).optional(),
  latePaymentSlippageTolerance: z.string().max(32).optional(),
  /** Fees in basis points, as strings. */
  appFees: z
    .array(wireObject({ recipient: anyAddressSchema, fee: uintStringSchema }))
    .max(64)
    .optional(),
  gasLimitForDepositSpecifiedTxs: wholeNumber.optional(),
  forceSolverExecution: flag,
  subsidizeFees: flag,
  sponsoredFeeComponents: names,
  /** Millionths of a dollar. */
  maxSubsidizationAmount: uintStringSchema.optional(),
  subsidizeRent: flag,
  includedSwapSources: names,
  excludedSwapSources: names,
  includedOriginSwapSources: names,
  includedDestinationSwapSources: names,
  originGasOverhead: wholeNumber.optional(),
  depositFeePayer: optionalAddress,
  maxRouteLength: wholeNumber.optional(),
  useSharedAccounts: flag,
  includeComputeUnitLimit: flag,
  overridePriceImpact: flag,
  disableSwapProviderPreference: flag,
  disableOriginSwaps: flag,
  fixedRate: z.string().max(64).optional(),
  /** Seconds from the quote within which the request must be filled, or it is refunded. */
  ttl: wholeNumber.optional(),
});

/** Body of `POST /quote/v2`, as the wire carries it. */
export type QuoteRequest = z.output<typeof quoteRequestSchema>;
