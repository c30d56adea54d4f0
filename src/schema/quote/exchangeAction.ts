import * as z from "zod/mini";
import { bytes32Schema, evmAddressSchema } from "../wire/hex.ts";
import { wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

const decimal = z.string().check(z.regex(/^[0-9]{1,60}(?:\.[0-9]{1,60})?$/, "not a decimal number"));
const uint64 = wholeNumber();

/** Typed data value that links a nonce on the perps exchange to an order (`NonceMapping`, version 2). */
export const nonceMappingSchema = wireObject({
  /** The exchange's name. */
  chainId: z.string(),
  wallet: evmAddressSchema,
  depositor: evmAddressSchema,
  /** The order id. */
  id: bytes32Schema,
  /** Must equal the deposit's nonce, to match the funds to the request. */
  nonce: z.union([uint64, z.string().check(z.regex(/^[0-9]{1,20}$/, "not a nonce"))]),
});

const sendAssetFields = {
  /** `Mainnet` or `Testnet`. */
  hyperliquidChain: z.string(),
  destination: z.string(),
  sourceDex: z.string(),
  destinationDex: z.string(),
  /** `SYMBOL:0x…`. */
  token: z.string(),
  /** Decimal text, never converted to floating point. */
  amount: decimal,
  fromSubAccount: z.string(),
  /** Unix milliseconds. */
  nonce: uint64,
};

/** Parameters of the exchange's `sendAsset` action in a quote. */
export type SendAssetParameters = z.output<typeof sendAssetParametersSchema>;
export const sendAssetParametersSchema = wireObject(sendAssetFields);

/** Body of a post to the exchange: the action exactly as it was signed. */
export type ExchangeRequest = z.output<typeof exchangeRequestSchema>;
export const exchangeRequestSchema = wireObject({
  signature: wireObject({ r: bytes32Schema, s: bytes32Schema, v: z.union([z.literal(27), z.literal(28)]) }),
  nonce: uint64,
  action: wireObject({
    type: z.literal("sendAsset"),
    /** The wallet's chain id in hexadecimal. */
    signatureChainId: z.string().check(z.regex(/^0x[0-9a-fA-F]{1,16}$/, "not a hexadecimal chain id")),
    ...sendAssetFields,
  }),
});

/** Response of the exchange; success is HTTP 200 and `ok`. */
export type ExchangeResponse = z.output<typeof exchangeResponseSchema>;
export const exchangeResponseSchema = wireObject({ status: z.string(), response: z.optional(z.unknown()) });
