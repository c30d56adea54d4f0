import * as z from "zod/mini";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { formatAmount } from "../../internal/amounts.ts";
import { assertValid } from "../../internal/readParts.ts";
import { firstIssue } from "../../schema/wire/firstIssue.ts";
import { anyAddressSchema, bytes32Schema } from "../../schema/wire/hex.ts";
import type { CallOptions } from "./Client.ts";

/** Separates the options of a call from its own parameters. */
export function splitOptions<Parameters extends CallOptions>(parameters: Parameters) {
  const { retryCount, signal, timeout, ...fields } = parameters;
  return [{ retryCount, signal, timeout }, fields] as const;
}

/**
 * Parses a caller's parameters by a wire schema.
 *
 * @param fallback Name for an error about the value as a whole.
 * @throws InvalidParameterError for an invalid field, by name.
 */
export function readParameters<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  fallback = "parameters",
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const { path, reason } = firstIssue(parsed.error);
  throw new InvalidParameterError({ parameter: path === "" ? fallback : path, reason });
}

/** A query parameter; a list is joined with commas. */
type QueryValue = boolean | number | string | readonly string[] | undefined;

/**
 * Serialises parameters as a query, validated by the schema that servers parse it with.
 *
 * @throws InvalidParameterError for an invalid parameter, by name.
 */
export function toQuery(
  schema: z.ZodMiniType,
  values: Readonly<Record<string, QueryValue>>,
): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const entries = Array.isArray(value) ? Array.from<unknown>(value) : [value];
    const isText = entries.every((entry) => ["boolean", "number", "string"].includes(typeof entry));
    assertValid(isText, name, "neither a text, a number nor a flag");
    query[name] = entries.join(",");
  }
  readParameters(schema, query);
  return query;
}

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

/**
 * Converts an amount to wire format. The schema validates text.
 *
 * @throws InvalidParameterError when it is of another type, negative, or does not fit a `uint256`.
 */
export function toWireAmount(amount: bigint | string, parameter: string): string {
  if (typeof amount === "bigint") return formatAmount(amount, parameter);
  if (typeof amount === "string") return amount;
  throw new InvalidParameterError({ parameter, reason: "neither a bigint nor a decimal string" });
}

/**
 * Validates a request id before it becomes part of a URL.
 *
 * @throws InvalidParameterError when it is not 32 bytes in hexadecimal.
 */
export function assertRequestId(requestId: string): void {
  assertValid(bytes32Schema.safeParse(requestId).success, "requestId", "not 32 bytes in hexadecimal");
}

/**
 * Builds the path of an app-fee endpoint of a wallet.
 *
 * @throws InvalidParameterError when the wallet is no address of any VM.
 */
export function appFeesPath(wallet: string, action: "balances" | "claim"): string {
  const owner = readParameters(anyAddressSchema, wallet, "wallet");
  // `encodeURIComponent` keeps dots, which could lead to another endpoint.
  assertValid(!/^\.{1,2}$/.test(owner), "wallet", "not an address");
  return `/app-fees/${encodeURIComponent(owner)}/${action}`;
}

/**
 * Parameter `version` of an endpoint. Optional only if the response type includes the default version, so that a type
 * argument alone cannot select another response type.
 */
export type VersionChoice<Version extends string, Default extends string> = Default extends Version
  ? { version?: Version | undefined }
  : { version: Version };

/**
 * Selects the choice of the requested version.
 *
 * @throws InvalidParameterError for an unknown version.
 */
export function chooseVersion<Choices extends object, Version extends keyof Choices>(
  choices: Choices,
  version: Version,
): Choices[Version] {
  const versions = Object.keys(choices);
  // Not `in`: `toString` is no version.
  assertValid(versions.includes(version as string), "version", `neither ${versions.join(" nor ")}`);
  return choices[version];
}
