import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/**
 * Validates a number of the caller.
 *
 * @throws InvalidParameterError for a number that is not finite, or below `minimum`.
 */
export function assertNumber(parameter: string, value: number, minimum: number): void {
  if (Number.isFinite(value) && value >= minimum) return;
  throw new InvalidParameterError({ parameter, reason: `not a number of at least ${minimum}` });
}
