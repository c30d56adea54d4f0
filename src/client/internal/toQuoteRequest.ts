import type * as z from "zod/mini";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { formatAmount } from "../../internal/amounts.ts";
import { readObject } from "../../internal/readParts.ts";
import type { QuoteCall } from "../../schema/quote/quoteRequest.ts";
import { readParameters } from "./readParameters.ts";

/** A call on the destination chain, with its value in wei. */
export type GetQuoteCall = Omit<QuoteCall, "value"> & { value?: bigint | string | undefined };

/** Amount fields of a quote or price request, as `bigint` or decimal string. */
export type IntentAmounts = {
  /** Smallest units of the input, or of the output, as `tradeType` says. With `txs`: the sum of their values. */
  amount: bigint | string;
  /** Calls that the router executes on the destination chain, in order. */
  txs?: readonly GetQuoteCall[] | undefined;
};

/**
 * Converts an intent to the body of a quote or price request.
 *
 * @throws InvalidParameterError for an invalid field, by name.
 */
export function toQuoteRequest<Schema extends z.ZodMiniType>(
  schema: Schema,
  { amount, txs, ...others }: IntentAmounts,
): z.output<Schema> {
  return readParameters(schema, {
    ...others,
    amount: toWireAmount(amount, "amount"),
    ...(txs === undefined
      ? {}
      : { txs: Array.isArray(txs) ? Array.from<unknown, object>(txs, toWireCall) : txs }),
  });
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

/** Always includes calldata and value: servers handle their absence differently. */
function toWireCall(given: unknown, index: number): object {
  const { data = "0x", value = 0n, ...call } = readObject(given, `txs.${index}`) as GetQuoteCall;
  return { ...call, data, value: toWireAmount(value, `txs.${index}.value`) };
}
