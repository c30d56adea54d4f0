import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";

/**
 * Serialises a parameter as JSON, before any request.
 *
 * @throws InvalidParameterError for a value that JSON cannot represent, such as a bigint or a cycle. Names the field,
 * not its value.
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

/** `undefined` for values that JSON omits, `null` for values that it cannot represent. */
function write(value: unknown): string | null | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}
