import * as z from "zod/mini";
import { wholeNumber } from "./wireAmount.ts";

/** A query parameter: text on the wire, a typed value after parsing. */
export type QueryField<Value> = z.ZodMiniType<Value, string>;

/** An integer in a query. Digits only: no sign, exponent or white space. */
export function queryInteger(minimum: number, maximum = Number.MAX_SAFE_INTEGER): QueryField<number> {
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^[0-9]{1,16}$/, "not a whole number")), z.transform(Number)),
    wholeNumber(minimum, maximum),
  );
}

/** A decimal number that is not negative in a query. */
export function queryDecimal(): QueryField<number> {
  return z.pipe(
    z.pipe(
      z.string().check(z.regex(/^[0-9]{1,15}(?:\.[0-9]{1,15})?$/, "not a decimal number")),
      z.transform(Number),
    ),
    z.number().check(z.nonnegative()),
  );
}

/** A flag in a query: `true` or `false`. */
export function queryFlag(): QueryField<boolean> {
  return z.pipe(
    z.pipe(
      z.enum(["true", "false"]),
      z.transform((value) => value === "true"),
    ),
    z.boolean(),
  );
}

/** Text in a query, not empty and of bounded length. */
export function queryText(maximum = 512): z.ZodMiniString<string> {
  return z.string().check(z.minLength(1), z.maxLength(maximum));
}

/** A list in a query, with commas between the entries. */
export function queryList<Entry>(entry: z.ZodMiniType<Entry, string>): QueryField<Entry[]> {
  return z.pipe(
    z.pipe(
      queryText(4_096),
      z.transform((value) => value.split(",").map((part) => part.trim())),
    ),
    z.array(entry).check(z.maxLength(100)),
  );
}
