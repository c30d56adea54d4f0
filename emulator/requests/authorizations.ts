import * as z from "zod";
import type { QuoteRequest } from "../../src/schema/quote/quoteRequest.ts";
import { bytes32Schema, evmAddressSchema } from "../../src/schema/wire/hex.ts";

/** EIP-7702 authorizations that a transaction of the service carries. */
export const authorizationsSchema = z.array(
  z.object({
    address: evmAddressSchema,
    chainId: z.int().min(0),
    nonce: z.int().min(0),
    r: bytes32Schema,
    s: bytes32Schema,
    yParity: z.int().min(0).max(1),
  }),
);

export type Authorizations = z.output<typeof authorizationsSchema>;

/** Reads the authorizations of a request; `undefined` for one that no transaction can carry. */
export function readAuthorizations(
  list: NonNullable<QuoteRequest["authorizationList"]>,
): Authorizations | undefined {
  const padded = list.map(({ r, s, ...rest }) => ({ ...rest, r: pad(r), s: pad(s) }));
  return authorizationsSchema.safeParse(padded).data;
}

/** Signatures' words are quantities in some wallets: without leading zeros. */
function pad(word: string): string {
  return `0x${word.slice(2).padStart(64, "0")}`;
}
