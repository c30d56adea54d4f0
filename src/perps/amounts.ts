import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertDecimals, decimalToUnits, unitsToDecimal } from "../internal/amounts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { perpsUsdcDecimals } from "./constants.ts";

export type ParseExchangeAmountParameters = {
  /** Decimal number without sign or exponent, as the exchange writes it. */
  amount: string;
  /** Default: 8, for USDC of the perps account. */
  decimals?: number | undefined;
};

export type ParseExchangeAmountReturnType = bigint;

export type FormatExchangeAmountParameters = {
  /** Smallest units. */
  amount: bigint;
  /** Default 8, those of USDC of the perps account. */
  decimals?: number | undefined;
};

export type FormatExchangeAmountReturnType = string;

/** Digits with an optional decimal point; at most the digits of a uint256 on each side. */
const decimalText = /^[0-9]{1,78}(?:\.[0-9]{1,78})?$/;

/**
 * Parses a decimal number of the exchange without floating point. Rejects excess decimal places instead of rounding.
 *
 * @returns Smallest units.
 * @throws {InvalidParameterError} For another format, too many decimal places, or a value above a `uint256`.
 *
 * @example
 * import { parseExchangeAmount } from "waybill/perps";
 *
 * parseExchangeAmount({ amount: "13104.514502" }); // 1310451450200n
 */
export function parseExchangeAmount({
  amount,
  decimals = perpsUsdcDecimals,
}: ParseExchangeAmountParameters): ParseExchangeAmountReturnType {
  assertDecimals(decimals);
  if (typeof amount !== "string" || !decimalText.test(amount)) {
    throw new InvalidParameterError({ parameter: "amount", reason: "it is not a decimal number" });
  }
  const places = amount.split(".")[1]?.replace(/0+$/, "").length ?? 0;
  if (places > decimals) {
    throw new InvalidParameterError({ parameter: "amount", reason: `it has more than ${decimals} places` });
  }
  return readUint256(decimalToUnits(amount, decimals), "amount");
}

/**
 * Formats an amount for the exchange, exactly and without trailing zeros.
 *
 * @returns Decimal text.
 * @throws {InvalidParameterError} For an amount above a `uint256`, or invalid decimals.
 *
 * @example
 * import { formatExchangeAmount } from "waybill/perps";
 *
 * formatExchangeAmount({ amount: 1_310_451_450_200n }); // "13104.514502"
 */
export function formatExchangeAmount({
  amount,
  decimals = perpsUsdcDecimals,
}: FormatExchangeAmountParameters): FormatExchangeAmountReturnType {
  return unitsToDecimal(readUint256(amount, "amount"), decimals);
}
