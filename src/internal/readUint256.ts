import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { maxUint256 } from "./amounts.ts";
import { show } from "./show.ts";

/** Ends the error about an order's amount that is text: the order is in the API's form. */
export const wireOrderHint = "; see `normalizeOrder`";

/**
 * Reads an amount that a contract takes as `uint256`.
 *
 * @param value What the caller gave.
 * @param parameter Name to blame in the error.
 * @param hint End of the error about a value that is no bigint.
 * @throws InvalidParameterError when it is not a bigint, negative, or too large.
 *
 * @example
 * readUint256(10n ** 18n, "amount"); // 1000000000000000000n
 */
export function readUint256(value: unknown, parameter: string, hint = ""): bigint {
  if (typeof value === "bigint" && value >= 0n && value <= maxUint256) return value;
  const kind = typeof value === "bigint" ? "uint256" : `bigint${hint}`;
  throw new InvalidParameterError({ parameter, reason: `${show(value)} is not a ${kind}` });
}
