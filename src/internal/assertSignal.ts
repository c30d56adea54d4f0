import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/**
 * Rejects a value that is neither undefined nor an AbortSignal.
 *
 * @throws InvalidParameterError
 */
export function assertSignal(signal: unknown): void {
  if (signal === undefined || signal === null) return;
  // Checks methods, not the class: a page and its frames have different classes.
  const { aborted, addEventListener } = Object(signal) as Partial<AbortSignal>;
  if (typeof aborted === "boolean" && typeof addEventListener === "function") return;
  throw new InvalidParameterError({ parameter: "signal", reason: "not an AbortSignal" });
}
