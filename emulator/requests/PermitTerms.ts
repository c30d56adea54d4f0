import * as z from "zod";
import { bytes32Schema, evmAddressSchema } from "../../src/schema/wire/hex.ts";
import { storedAmountSchema, storedCallSchema } from "./storedForms.ts";

/**
 * Ways to pay by signature. With `permit` (ERC-2612) the approval proxy accepts only the token's owner, so the
 * user sends the deposit. With the others the user signs the deposit itself, and the service sends it.
 */
const permitWays = ["eip3009", "permit", "permit2"] as const;

/** One of {@link permitWays}. */
export type PermitWay = (typeof permitWays)[number];

/** What a user signs in place of an approval and a deposit, as intents store it. */
export const permitTermsSchema = z.object({
  way: z.enum(permitWays),
  /** Purpose of the signature, as `POST /execute/permits` names it. */
  api: z.enum(["bridge", "swap", "user-swap"]),
  /** Approval proxy that the signature authorises. */
  proxy: evmAddressSchema,
  /** Calls that the router makes with the money. The signature covers them, except for ERC-2612. */
  calls: z.array(storedCallSchema),
  /** Nonce of the owner at Permit2 or at the token; ERC-3009 uses the hash of the calls. */
  nonce: storedAmountSchema,
  /** Last second of validity; Unix time of the chain. */
  deadline: z.int().min(0),
  /** Hash that the user signs. */
  digest: bytes32Schema,
});

/** See {@link permitTermsSchema}. */
export type PermitTerms = z.output<typeof permitTermsSchema>;

/** Whether the service sends the deposit rather than the user. */
export function isGasless(way: PermitWay | undefined): boolean {
  return way === "eip3009" || way === "permit2";
}
