import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "./show.ts";

/**
 * Rejects an invalid parameter.
 *
 * @param reason Completes "Parameter is invalid:".
 * @throws InvalidParameterError
 */
export function assertValid(isValid: boolean, parameter: string, reason: string): asserts isValid {
  if (!isValid) throw new InvalidParameterError({ parameter, reason });
}

/** Fields of an untrusted object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses an object, to parse its fields next.
 *
 * @throws InvalidParameterError for another value, including an array.
 */
export function readObject(value: unknown, parameter: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new InvalidParameterError({ parameter, reason: "not an object" });
}

/**
 * Parses a list by item.
 *
 * @param read Parses an item; receives its path.
 * @throws InvalidParameterError for another value; errors of `read`.
 */
export function readList<Item>(
  value: unknown,
  parameter: string,
  read: (item: unknown, parameter: string) => Item,
): Item[] {
  if (!Array.isArray(value)) throw new InvalidParameterError({ parameter, reason: "not a list" });
  const items: Item[] = [];
  // Rejects holes in a sparse array, which `map` skips.
  for (let index = 0; index < value.length; index++) items.push(read(value[index], `${parameter}[${index}]`));
  return items;
}

/**
 * Parses text.
 *
 * @throws InvalidParameterError for another value.
 */
export function readText(value: unknown, parameter: string): string {
  if (typeof value === "string") return value;
  throw new InvalidParameterError({ parameter, reason: "not text" });
}

/**
 * Parses a `uint32`, such as a deadline in unix seconds.
 *
 * @throws InvalidParameterError when it is something else.
 */
export function readUint32(value: unknown, parameter: string): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32)
    return value as number;
  throw new InvalidParameterError({ parameter, reason: "not a uint32" });
}

/**
 * Parses a chain id.
 *
 * @throws InvalidParameterError unless it is a positive safe integer.
 */
export function readChainId(value: unknown, parameter: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new InvalidParameterError({ parameter, reason: `"${show(value)}" is not a positive safe integer` });
}

/**
 * Rejects a value that is not a function.
 *
 * @throws InvalidParameterError
 */
export function assertFunction(parameter: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new InvalidParameterError({ parameter, reason: `${show(value)} is not a function` });
}

/**
 * Validates a number of the caller.
 *
 * @throws InvalidParameterError for a number that is not finite, or below `minimum`.
 */
export function assertNumber(parameter: string, value: number, minimum: number): void {
  if (Number.isFinite(value) && value >= minimum) return;
  throw new InvalidParameterError({ parameter, reason: `not a number of at least ${minimum}` });
}

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
