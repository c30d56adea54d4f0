import * as z from "zod/mini";
import { anyAddressSchema } from "../wire/hex.ts";
import { wholeNumber } from "../wire/wholeNumber.ts";
import { chainIdSchema, intStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * A currency in a request record. All fields are optional: published samples contain only the chain, symbol and
 * decimals. Quotes use the full {@link currencySchema}.
 */
export const recordCurrencySchema = wireObject({
  chainId: z.optional(chainIdSchema),
  address: z.optional(anyAddressSchema),
  symbol: z.optional(z.string()),
  name: z.optional(z.string()),
  decimals: z.optional(wholeNumber(0, 255)),
  metadata: z.optional(
    wireObject({
      logoURI: z.nullish(z.string()),
      verified: z.optional(z.boolean()),
      isNative: z.optional(z.boolean()),
    }),
  ),
});

/** A currency in a request record. */
export type RecordCurrency = z.output<typeof recordCurrencySchema>;

const valueFields = {
  /** Smallest units, exact. Negative if the service pays. */
  amount: z.optional(intStringSchema),
  amountFormatted: z.optional(z.string()),
  amountUsd: z.nullish(z.string()),
  minimumAmount: z.optional(intStringSchema),
};

/** An amount whose currency the record states once for several amounts. */
export const recordValueSchema = wireObject(valueFields);

/** An amount without its currency. */
export type RecordValue = z.output<typeof recordValueSchema>;

const recordAmount = wireObject({
  currency: z.optional(recordCurrencySchema),
  ...valueFields,
  /** The dollar value at today's price. */
  amountUsdCurrent: z.nullish(z.string()),
});

type RecordAmountFields = typeof recordAmount;

/** An interface, because declarations name one and would repeat the fields of a type: 142 times in those of the records. */
export interface RecordAmountSchema extends RecordAmountFields {}

/** An amount in a request record, with its currency. All fields are optional; `amount` is exact. */
export const recordAmountSchema: RecordAmountSchema = recordAmount;

/** An amount in a request record. */
export type RecordAmount = z.output<typeof recordAmountSchema>;

/** The payer's payment, with the currency's address and chain instead of its record. */
export const recordPaymentSchema = wireObject({
  amount: intStringSchema,
  address: z.string(),
  chainId: chainIdSchema,
});

/** The payer's payment. */
export type RecordPayment = z.output<typeof recordPaymentSchema>;
