import type { Address } from "viem";
import { evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { QuoteError } from "../../errors/QuoteError.ts";

/** Parses an EVM address and lowers its case. */
export function parseAddress(
  value: string,
  errorCode: "INVALID_ADDRESS" | "INVALID_RECIPIENT",
  field: string,
): Address {
  const parsed = evmAddressSchema.safeParse(value);
  if (!parsed.success) throw new QuoteError(errorCode, `\`${field}\` is not an EVM address`);
  return parsed.data.toLowerCase() as Address;
}
