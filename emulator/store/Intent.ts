import type { Address, Hex } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../src/schema/hex.ts";
import { tradeTypeSchema } from "../../src/schema/tradeType.ts";
import { chainIdSchema, uintStringSchema } from "../../src/schema/wireAmount.ts";

const amount = z.pipe(
  uintStringSchema,
  z.transform((digits: string) => BigInt(digits)),
);

/**
 * What a request promises, in exact types: all that the solver needs to check a deposit, fill it or give it back. It is
 * what the quote said, and does not change afterwards.
 */
export const intentSchema = z.object({
  requestId: bytes32Schema,
  orderId: bytes32Schema,
  tradeType: tradeTypeSchema,
  user: evmAddressSchema,
  recipient: evmAddressSchema,
  /** Where a refund goes. */
  refundTo: evmAddressSchema,
  origin: z.object({ chainId: chainIdSchema, currency: evmAddressSchema, amount }),
  destination: z.object({
    chainId: chainIdSchema,
    currency: evmAddressSchema,
    amount,
    minimumAmount: amount,
  }),
  /** Calls on the destination chain; `to`, wei, calldata. */
  txs: z.array(z.object({ to: evmAddressSchema, value: amount, data: hexSchema })),
});

/** See {@link intentSchema}. */
export type Intent = z.output<typeof intentSchema>;

/** One side of an intent. */
export type IntentSide = { readonly chainId: number; readonly currency: Address; readonly amount: bigint };

/** One call of an intent. */
export type IntentCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** Reads an intent from its stored form. */
export function parseIntent(json: string): Intent {
  return intentSchema.parse(JSON.parse(json));
}

/** Writes an intent in its stored form: amounts become decimal strings. */
export function serializeIntent(intent: Intent): string {
  return JSON.stringify(intent, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
