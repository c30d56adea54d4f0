import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { maxUint256 } from "./amounts.ts";
import { show } from "./show.ts";

/**
 * Reads an amount that a contract takes as `uint256`.
 *
 * @param value What the caller gave.
 * @param parameter Name to blame in the error.
 * @throws InvalidParameterError when it is not a bigint, negative, or too large.
 *
 * @example
 * readUint256(10n ** 18n, "amount"); // 1000000000000000000n
 */
export function readUint256(value: unknown, parameter: string): bigint {
  if (typeof value !== "bigint" || value < 0n || value > maxUint256) {
    throw new InvalidParameterError({ parameter, reason: `${show(value)} is not a uint256` });
  }
  return value;
}
