import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "./show.ts";

/**
 * Refuses what cannot be called, before the moment when it has to be.
 *
 * @throws InvalidParameterError
 *
 * @example
 * assertFunction("now", Date.now);
 */
export function assertFunction(parameter: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new InvalidParameterError({ parameter, reason: `${show(value)} is not a function` });
}
