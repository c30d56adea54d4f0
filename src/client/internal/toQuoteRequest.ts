import type * as z from "zod/mini";
import { readObject } from "../../internal/readParts.ts";
import type { QuoteCall } from "../../schema/quote/quoteRequest.ts";
import { readParameters, toWireAmount } from "./parameters.ts";

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

/** Always includes calldata and value: servers handle their absence differently. */
function toWireCall(given: unknown, index: number): object {
  const { data = "0x", value = 0n, ...call } = readObject(given, `txs.${index}`) as GetQuoteCall;
  return { ...call, data, value: toWireAmount(value, `txs.${index}.value`) };
}
