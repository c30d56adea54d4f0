import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/**
 * Refuses what is given in the place of an optional signal and cannot be listened to.
 *
 * @throws InvalidParameterError
 *
 * @example
 * assertSignal(new AbortController()); // throws: its `signal` was meant
 */
export function assertSignal(signal: unknown): void {
  if (signal === undefined || signal === null) return;
  // By what it can do, not by its class: there are several, and a page and its frame do not share one.
  const { aborted, addEventListener } = Object(signal) as Partial<AbortSignal>;
  if (typeof aborted === "boolean" && typeof addEventListener === "function") return;
  throw new InvalidParameterError({ parameter: "signal", reason: "not an AbortSignal" });
}
