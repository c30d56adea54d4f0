import type { Address, Hex } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema } from "../../src/schema/hex.ts";
import { requestTypes } from "../../src/schema/requestType.ts";
import { tradeTypeSchema } from "../../src/schema/tradeType.ts";
import { chainIdSchema } from "../../src/schema/wireAmount.ts";
import { routerVersions } from "../chains/RouterVersion.ts";
import { permitTermsSchema } from "./PermitTerms.ts";
import { storedAmountSchema as amount, storedCallSchema } from "./storedForms.ts";

const basisPoints = z.int().min(0).max(10_000);
const decimals = z.optional(z.int().min(0).max(255));

/** One share of a deposit that somebody else than the service gets. */
const appFeeSchema = z.object({
  recipient: evmAddressSchema,
  bps: basisPoints,
  /** Smallest units of the deposit's currency. */
  amount,
});

/**
 * What a request promises, in exact types: all that the solver needs to check a deposit, fill it or give it back. It is
 * what the quote said, and does not change afterwards.
 */
export const intentSchema = z.object({
  requestId: bytes32Schema,
  orderId: bytes32Schema,
  kind: z.enum(requestTypes),
  tradeType: tradeTypeSchema,
  /** Which router and approval proxy the user's transaction and the fill go through, where they need one. */
  routerVersion: z.enum(routerVersions),
  user: evmAddressSchema,
  recipient: evmAddressSchema,
  /** Where a refund goes. */
  refundTo: evmAddressSchema,
  /** What the user pays. */
  origin: z.object({ chainId: chainIdSchema, currency: evmAddressSchema, amount }),
  /** What reaches the service of it, on the origin chain. */
  deposit: z.object({
    /** With `self` nothing is deposited: the user's own transaction does everything. See `own`. */
    via: z.enum(["depository", "self"]),
    /** Another than `origin.currency` when the user's transaction swaps first. */
    currency: evmAddressSchema,
    /** As expected at the time of the quote. */
    amount,
    /** A deposit of less is given back. */
    minimumAmount: amount,
    /** Places of its currency; as many as the inventory's when left out. */
    decimals,
  }),
  /** What the solver spends on the destination chain; all zero, with an empty path, for `self`. */
  fill: z.object({
    /** Of its inventory. */
    currency: evmAddressSchema,
    /** As expected at the time of the quote, for a deposit of `deposit.amount`. */
    amount,
    /** More than this is not spent on a fixed output. */
    maximumAmount: amount,
    /**
     * Currencies from the inventory's to the recipient's, both included; the zero address is the native currency. Empty
     * when the inventory is delivered as it is.
     */
    path: z.array(evmAddressSchema),
    /** Places of its currency. */
    decimals,
  }),
  /** What the recipient or the calls get. */
  destination: z.object({
    chainId: chainIdSchema,
    currency: evmAddressSchema,
    amount,
    minimumAmount: amount,
  }),
  appFees: z.array(appFeeSchema),
  useExternalLiquidity: z.boolean(),
  /** Whether the solver keeps what pools gave beyond a fixed output. */
  trueExactOutput: z.optional(z.boolean()),
  slippageBps: basisPoints,
  /** Unix milliseconds. What is deposited later is given back. */
  expiresAt: z.int().min(0),
  /** Gas that all `txs` together may take; `null` when the quote set no limit. */
  txsGasLimit: z.nullable(z.int().min(0)),
  /** The user's transaction that does everything, by which it is known again; only for `self`. */
  own: z.nullable(
    z.object({
      to: evmAddressSchema,
      /** Wei. */
      value: amount,
      /** Of its calldata. */
      dataHash: bytes32Schema,
    }),
  ),
  /** What the user signs instead of approving and depositing; only where the quote asked for it. */
  permit: z.optional(permitTermsSchema),
  /** Calls on the destination chain. */
  txs: z.array(storedCallSchema),
});

/** See {@link intentSchema}. */
export type Intent = z.output<typeof intentSchema>;

/** One call of an intent. */
export type IntentCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** Reads an intent from its stored form. */
export function parseIntent(json: string): Intent {
  return intentSchema.parse(JSON.parse(json));
}

const shownTermsSchema = intentSchema.pick({ tradeType: true, useExternalLiquidity: true });

/** Reads the fields of a stored intent that records show. A page of records needs no others. */
export function parseShownTerms(json: string): z.output<typeof shownTermsSchema> {
  return shownTermsSchema.parse(JSON.parse(json));
}

/** Writes an intent in its stored form: amounts become decimal strings. */
export function serializeIntent(intent: Intent): string {
  return JSON.stringify(intent, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
