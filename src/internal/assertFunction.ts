import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "./show.ts";

/**
 * Rejects a value that is not a function.
 *
 * @throws InvalidParameterError
 */
export function assertFunction(parameter: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new InvalidParameterError({ parameter, reason: `${show(value)} is not a function` });
}
