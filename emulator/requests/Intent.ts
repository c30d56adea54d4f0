import type { Address, Hex } from "viem";
import * as z from "zod";
import { tradeTypeSchema } from "../../src/schema/quote/tradeType.ts";
import { depositAddressTypes } from "../../src/schema/request/depositAddressType.ts";
import { failReasons } from "../../src/schema/request/failReason.ts";
import { requestTypes } from "../../src/schema/request/requestType.ts";
import { bytes32Schema, evmAddressSchema, hexSchema } from "../../src/schema/wire/hex.ts";
import { chainIdSchema, uintStringSchema } from "../../src/schema/wire/wireAmount.ts";
import { routerVersions } from "../chains/Chain.ts";
import { authorizationsSchema } from "./authorizations.ts";

/** An amount: decimal digits in the database, a bigint in the program. */
const amount = z.pipe(
  uintStringSchema,
  z.transform((digits: string) => BigInt(digits)),
);

/** A currency: 20 bytes on an EVM chain, 16 or more on the perps exchange. */
const currency = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){16,}$/, "not a currency")
  .transform((value) => value as Hex);

/** An account: 20 bytes, 32 on the SVM chain. */
const account = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, "not an account")
  .transform((value) => value as Address);

/** A call: target, wei, calldata. */
const callSchema = z.object({
  to: evmAddressSchema,
  value: amount,
  data: hexSchema,
});

/**
 * Ways to pay by signature. With `permit` (ERC-2612) the approval proxy accepts only the token's owner, so the
 * user sends the deposit. With the others the user signs the deposit itself, and the service sends it.
 */
const permitWays = ["eip3009", "permit", "permit2"] as const;

export type PermitWay = (typeof permitWays)[number];

/** The signature that replaces an approval and a deposit, as intents store it. */
const permitTermsSchema = z.object({
  way: z.enum(permitWays),
  /** Purpose of the signature, as `POST /execute/permits` names it. */
  api: z.enum(["bridge", "swap", "user-swap"]),
  /** Approval proxy that the signature authorises. */
  proxy: evmAddressSchema,
  /** Calls that the router makes with the money. The signature covers them, except for ERC-2612. */
  calls: z.array(callSchema),
  /** Nonce of the owner at Permit2 or at the token; ERC-3009 uses the hash of the calls. */
  nonce: amount,
  /** Last second of validity; Unix time of the chain. */
  deadline: z.int().min(0),
  /** Hash that the user signs. */
  digest: bytes32Schema,
});

export type PermitTerms = z.output<typeof permitTermsSchema>;

const claimTermsSchema = z.object({
  /** Last second of validity of the signature; Unix time of the service. */
  deadline: z.int().min(0),
  /** Hash that the wallet signs. */
  digest: bytes32Schema,
  /** Amounts to take from the wallet's balances. */
  debits: z.array(z.object({ chainId: chainIdSchema, currency: evmAddressSchema, amount })),
});

export type ClaimTerms = z.output<typeof claimTermsSchema>;

/** Whether the service sends the deposit rather than the user. */
export function isGasless(way: PermitWay | undefined): boolean {
  return way === "eip3009" || way === "permit2";
}

const basisPoints = z.int().min(0).max(10_000);
const decimals = z.optional(z.int().min(0).max(255));

const depositAddressSchema = z.object({
  address: account,
  type: z.enum(depositAddressTypes),
  /** Whether refunds go to the sender of the payment. */
  refundsSender: z.boolean(),
  /** Receives a refund that its recipient rejects. */
  recoveryAddress: z.optional(account),
  /** Refunds the payment for this reason; only if the request was opened to refund it. */
  refusal: z.optional(z.enum(failReasons)),
});

export type DepositAddressTerms = z.output<typeof depositAddressSchema>;

const appFeeSchema = z.object({
  recipient: evmAddressSchema,
  bps: basisPoints,
  /** Smallest units of the deposit's currency. */
  amount,
});

/** The sponsor's part of a request's fees. It stays as quoted when another amount is deposited. */
const sponsorshipSchema = z.object({
  /** Smallest units of the deposit's currency. */
  amount,
  /** Fees in proportion to the deposit, in smallest units of its currency: the service's and the apps'. */
  shares: amount,
});

/**
 * The terms of a request in exact types. They suffice for the solver to check a deposit, fill it or refund it. They repeat
 * the quote and never change.
 */
const intentSchema = z.object({
  requestId: bytes32Schema,
  orderId: bytes32Schema,
  kind: z.enum(requestTypes),
  tradeType: tradeTypeSchema,
  /**
   * Version of the router and approval proxy that the user's transaction and the fill use, where they need one.
   */
  routerVersion: z.enum(routerVersions),
  user: account,
  recipient: account,
  /** Receives refunds. */
  refundTo: account,
  /** The user's payment. */
  origin: z.object({ chainId: chainIdSchema, currency, amount }),
  /** The amount that reaches the service on the origin chain. */
  deposit: z.object({
    /** With `self` nothing is deposited: the user's own transaction does everything. See `own`. */
    via: z.enum(["depository", "self"]),
    /** Differs from `origin.currency` when the user's transaction swaps first. */
    currency,
    /** Expected at the time of the quote. */
    amount,
    /** A smaller deposit is refunded. */
    minimumAmount: amount,
    /** Decimals of its currency; those of the inventory's currency when left out. */
    decimals,
  }),
  /** The solver's spending on the destination chain; all zero, with an empty path, for `self`. */
  fill: z.object({
    /** Currency of the solver's inventory. */
    currency,
    /** As expected at the time of the quote, for a deposit of `deposit.amount`. */
    amount,
    /** Maximum spent on a fixed output. */
    maximumAmount: amount,
    /**
     * Quoted cost of its gas, in the deposit's currency: a deposit below the quoted one pays all of it. The spread of a fixed
     * rate pays for a plain fill.
     */
    gas: z.optional(amount),
    /**
     * Currencies from the inventory's to the recipient's, both included; the zero address is the native
     * currency. Empty when the inventory is delivered unchanged.
     */
    path: z.array(currency),
    /** Decimals of its currency. */
    decimals,
    /** Units of the inventory given for units of the deposit, where these are different assets. */
    ratio: z.optional(z.object({ given: amount, taken: amount })),
  }),
  /** The output for the recipient or the calls. */
  destination: z.object({
    chainId: chainIdSchema,
    currency,
    amount,
    minimumAmount: amount,
  }),
  appFees: z.array(appFeeSchema),
  /** Native currency that the fill delivers to the recipient besides the output; only if the quote has it. */
  topup: z.optional(z.object({ /** Wei. */ amount, /** See `sponsorship`. */ shares: amount })),
  /** The sponsor's part of the fees; only if the quote is sponsored. */
  sponsorship: z.optional(sponsorshipSchema),
  useExternalLiquidity: z.boolean(),
  /** Whether the solver keeps the pools' output above a fixed output. */
  trueExactOutput: z.optional(z.boolean()),
  slippageBps: basisPoints,
  /** Unix milliseconds. Later deposits are refunded. */
  expiresAt: z.int().min(0),
  /** Gas limit of all `txs` together; `null` when the quote set none. */
  txsGasLimit: z.nullable(z.int().min(0)),
  /** Identifies the user's transaction that does everything; only for `self`. */
  own: z.nullable(
    z.object({
      to: evmAddressSchema,
      /** Wei. */
      value: amount,
      /** Hash of its calldata. */
      dataHash: bytes32Schema,
    }),
  ),
  /** The signature that replaces approval and deposit; only if the quote requested it. */
  permit: z.optional(permitTermsSchema),
  /** The claim of app fees that the request is; absent from all others. */
  claim: z.optional(claimTermsSchema),
  /** The address that replaces the user's deposit; only if the quote requested it. */
  depositAddress: z.optional(depositAddressSchema),
  /** Calls on the destination chain. */
  txs: z.array(callSchema),
  /** EIP-7702 authorizations of the fill that makes them. */
  authorizationList: z.optional(authorizationsSchema),
});

export type Intent = z.output<typeof intentSchema>;

export type IntentCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** Reads an intent from its stored form. */
export function parseIntent(json: string): Intent {
  return intentSchema.parse(JSON.parse(json));
}

const shownTermsSchema = intentSchema.pick({
  depositAddress: true,
  tradeType: true,
  useExternalLiquidity: true,
});

/** Reads the fields of a stored intent that records show. A page of records needs no others. */
export function parseShownTerms(json: string): z.output<typeof shownTermsSchema> {
  return shownTermsSchema.parse(JSON.parse(json));
}

/** Writes an intent in its stored form, with amounts as decimal strings. */
export function serializeIntent(intent: Intent): string {
  return JSON.stringify(intent, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
