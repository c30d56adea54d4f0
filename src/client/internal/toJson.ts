import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";

/**
 * Writes a parameter as JSON, before anything is sent.
 *
 * @throws InvalidParameterError when JSON has no form for it, such as a bigint or a circle, with the name of the field
 * and without its value.
 *
 * @example
 * toJson({ amount: 1n }, "body"); // throws: `body.amount`
 */
export function toJson(value: unknown, parameter: string): string {
  const text = write(value);
  if (typeof text === "string") return text;
  const [field] = Object.entries(Object(value)).find(([, inner]) => write(inner) === null) ?? [];
  throw new InvalidParameterError({
    parameter: field === undefined ? parameter : `${parameter}.${field}`,
    reason: "it cannot be written as JSON",
  });
}

/** `undefined` for what JSON leaves out, `null` for what it fails at. */
function write(value: unknown): string | null | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}
