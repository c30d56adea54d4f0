import { formatUnits } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/** Largest amount that fits a `uint256`. */
export const maxUint256 = 2n ** 256n - 1n;

const unsignedDigits = /^[0-9]{1,78}$/;
const signedDigits = /^-?[0-9]{1,78}$/;
const decimalNumber = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

/**
 * Parses an amount in smallest units from a decimal string.
 *
 * @param value Digits only: no sign, no separators, no exponent.
 * @throws InvalidParameterError for another format, or above a `uint256`.
 */
export function parseAmount(value: string, parameter = "amount"): bigint {
  if (typeof value !== "string" || !unsignedDigits.test(value)) {
    throw new InvalidParameterError({ parameter, reason: "not a decimal string of smallest units" });
  }
  const amount = BigInt(value);
  if (amount > maxUint256) throw new InvalidParameterError({ parameter, reason: "larger than a uint256" });
  return amount;
}

/**
 * Parses an amount that may be negative. Only fees and rewards can be: the service pays for transfers that help its
 * liquidity.
 *
 * @throws InvalidParameterError when `value` is not a decimal string, or its size does not fit a `uint256`.
 */
export function parseSignedAmount(value: string, parameter = "amount"): bigint {
  if (typeof value !== "string" || !signedDigits.test(value)) {
    throw new InvalidParameterError({ parameter, reason: "not a decimal string of smallest units" });
  }
  return value.startsWith("-") ? -parseAmount(value.slice(1), parameter) : parseAmount(value, parameter);
}

/**
 * Formats an amount as the decimal string of the wire.
 *
 * @throws InvalidParameterError when it is negative or does not fit a `uint256`.
 */
export function formatAmount(amount: bigint, parameter = "amount"): string {
  if (amount < 0n) throw new InvalidParameterError({ parameter, reason: "negative" });
  if (amount > maxUint256) throw new InvalidParameterError({ parameter, reason: "larger than a uint256" });
  return amount.toString(10);
}

/**
 * Converts a decimal number to smallest units. Rejects excess decimal places instead of rounding.
 *
 * @param value For example `"0.7"`.
 * @throws InvalidParameterError when `value` is not a decimal number or has more places than `decimals`.
 */
export function decimalToUnits(value: string, decimals: number): bigint {
  assertDecimals(decimals);
  const match = decimalNumber.exec(value);
  if (match === null) throw new InvalidParameterError({ parameter: "value", reason: "not a decimal number" });
  const [, sign = "", whole = "0", places = ""] = match;
  const significant = places.replace(/0+$/, "");
  if (significant.length > decimals) {
    throw new InvalidParameterError({ parameter: "value", reason: `more than ${decimals} decimal places` });
  }
  const units = BigInt(whole + significant.padEnd(decimals, "0"));
  return sign === "-" ? -units : units;
}

/**
 * Converts smallest units to an exact decimal number without trailing zeros.
 *
 * @throws InvalidParameterError when `decimals` is not a whole number between 0 and 255.
 */
export function unitsToDecimal(units: bigint, decimals: number): string {
  assertDecimals(decimals);
  return formatUnits(units, decimals);
}

/**
 * Validates a currency's decimals.
 *
 * @throws InvalidParameterError unless it is an integer from 0 to 255.
 */
export function assertDecimals(decimals: number): void {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= 255) return;
  throw new InvalidParameterError({ parameter: "decimals", reason: "not a whole number between 0 and 255" });
}
