import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { maxUint256 } from "./amounts.ts";
import { show } from "./show.ts";

/** End of the error about a text amount: the order is in the API's format. */
export const wireOrderHint = "; see `normalizeOrder`";

/**
 * Validates an amount for a `uint256`.
 *
 * @param hint End of the error about another type than bigint.
 * @throws InvalidParameterError unless it is a bigint in range.
 */
export function readUint256(value: unknown, parameter: string, hint = ""): bigint {
  if (typeof value === "bigint" && value >= 0n && value <= maxUint256) return value;
  const kind = typeof value === "bigint" ? "uint256" : `bigint${hint}`;
  throw new InvalidParameterError({ parameter, reason: `${show(value)} is not a ${kind}` });
}
