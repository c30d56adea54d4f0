import * as z from "zod";
import { bytes32Schema, evmAddressSchema } from "../../src/schema/hex.ts";
import { storedAmountSchema, storedCallSchema } from "./storedForms.ts";

/**
 * Ways to pay by signature. `permit` is ERC-2612: the approval proxy takes it from its owner alone, so the user sends the
 * deposit. The others sign the deposit itself, and the service sends it.
 */
export const permitWays = ["eip3009", "permit", "permit2"] as const;

/** One of {@link permitWays}. */
export type PermitWay = (typeof permitWays)[number];

/** What a user is asked to sign in place of an approval and a deposit, as intents store it. */
export const permitTermsSchema = z.object({
  way: z.enum(permitWays),
  /** What the signature is for, in the words of `POST /execute/permits`. */
  api: z.enum(["bridge", "swap", "user-swap"]),
  /** The approval proxy that takes it. */
  proxy: evmAddressSchema,
  /** What the router does with the money; it is part of what is signed, but for ERC-2612. */
  calls: z.array(storedCallSchema),
  /** Of the owner, at Permit2 or at the token; an authorization of ERC-3009 has the hash of its calls for it. */
  nonce: storedAmountSchema,
  /** The last second at which it can be used; Unix time of the chain. */
  deadline: z.int().min(0),
  /** What is signed. */
  digest: bytes32Schema,
});

/** See {@link permitTermsSchema}. */
export type PermitTerms = z.output<typeof permitTermsSchema>;

/** Whether the service sends the deposit, rather than the user. */
export function isGasless(way: PermitWay | undefined): boolean {
  return way === "eip3009" || way === "permit2";
}
