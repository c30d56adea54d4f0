import type { Address } from "viem";
import { evmAddressSchema } from "../../../src/schema/hex.ts";
import { QuoteError } from "../../errors/QuoteError.ts";

/** Reads an EVM address, in lower case; `field` is named in the error. */
export function addressOf(
  value: string,
  errorCode: "INVALID_ADDRESS" | "INVALID_RECIPIENT",
  field: string,
): Address {
  const parsed = evmAddressSchema.safeParse(value);
  if (!parsed.success) throw new QuoteError(errorCode, `\`${field}\` is not an EVM address`);
  return parsed.data.toLowerCase() as Address;
}
