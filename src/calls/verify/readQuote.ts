import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { paidQuoteSchema } from "../../schema/quote/paidQuote.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import { readBy } from "../../schema/wire/readBy.ts";

/** More than any quote of the service has: characters of JSON, levels, entries of a list, values. */
const [longest, deepest, mostEntries, mostValues] = [1_000_000, 100, 256, 4_000];

/** Copies a quote, a value or its JSON text, so that the proof, the wallet and the caller see one value. */
export function readQuote(quote: unknown): Quote {
  return readBy(paidQuoteSchema, copyUsual(quote), "quote") as Quote;
}

/** Copies an answer as plain JSON. Its size is bounded before anything is decoded, hashed or compared. */
export function copyUsual(quote: unknown): unknown {
  let copy: unknown;
  try {
    const json = typeof quote === "string" ? quote : JSON.stringify(quote);
    if (json.length > longest) throw tooLarge(`${longest} characters`);
    copy = JSON.parse(json);
  } catch (cause) {
    if (cause instanceof InvalidParameterError) throw cause;
    throw new InvalidParameterError({ cause, parameter: "quote", reason: "it is not JSON" });
  }
  assertUsual(copy, 0, { values: 0 });
  return copy;
}

function assertUsual(value: unknown, depth: number, seen: { values: number }): void {
  seen.values += 1;
  if (seen.values > mostValues) throw tooLarge(`${mostValues} values`);
  if (typeof value !== "object" || value === null) return;
  if (depth >= deepest) throw tooLarge(`${deepest} levels`);
  if (Array.isArray(value) && value.length > mostEntries) throw tooLarge(`${mostEntries} entries in a list`);
  for (const part of Object.values(value)) assertUsual(part, depth + 1, seen);
}

function tooLarge(limit: string): InvalidParameterError {
  return new InvalidParameterError({ parameter: "quote", reason: `it has more than ${limit}` });
}
