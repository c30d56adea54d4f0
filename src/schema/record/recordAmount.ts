import * as z from "zod/mini";
import { currencySchema } from "../chain/currency.ts";
import { anyAddressSchema } from "../wire/hex.ts";
import { chainIdSchema, intStringSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * A currency in a request record. All fields are optional: published samples contain only the chain, symbol and
 * decimals. Quotes use the full {@link currencySchema}.
 */
export type RecordCurrency = z.output<typeof recordCurrencySchema>;
export const recordCurrencySchema = wireObject({
  chainId: z.optional(chainIdSchema),
  address: z.optional(anyAddressSchema),
  symbol: z.optional(z.string()),
  name: z.optional(z.string()),
  decimals: z.optional(wholeNumber(0, 255)),
  metadata: currencySchema.shape.metadata,
});

const valueFields = {
  /** Smallest units, exact. Negative if the service pays. */
  amount: z.optional(intStringSchema),
  amountFormatted: z.optional(z.string()),
  amountUsd: z.nullish(z.string()),
  minimumAmount: z.optional(intStringSchema),
};

/** An amount whose currency the record states once for several amounts. */
export type RecordValue = z.output<typeof recordValueSchema>;
export const recordValueSchema = wireObject(valueFields);

const recordAmount = wireObject({
  currency: z.optional(recordCurrencySchema),
  ...valueFields,
  /** The dollar value at today's price; only in request records. */
  amountUsdCurrent: z.nullish(z.string()),
});

type RecordAmountFields = typeof recordAmount;

/** An interface, because declarations name one and would repeat the fields of a type: 142 times in those of the records. */
export interface RecordAmountSchema extends RecordAmountFields {}

/** An amount in a request record, with its currency. All fields are optional; `amount` is exact. */
export type RecordAmount = z.output<typeof recordAmountSchema>;
export const recordAmountSchema: RecordAmountSchema = recordAmount;

/** The payer's payment, with the currency's address and chain instead of its record. */
export type RecordPayment = z.output<typeof recordPaymentSchema>;
export const recordPaymentSchema = wireObject({
  amount: intStringSchema,
  address: z.string(),
  chainId: chainIdSchema,
});
