import type { RecordAmount } from "../../schema/record/recordAmount.ts";
import type { RequestDataV2, RequestMetadataV2 } from "../../schema/record/requestV2.ts";
import type { RequestRoute } from "../../schema/record/requestV3.ts";

type LegV2 = NonNullable<RequestMetadataV2["route"]>["origin"];
type Leg = NonNullable<NonNullable<RequestRoute["quoted"]>["origin"]>;
type Actual = NonNullable<RequestRoute["actual"]>;

/**
 * Converts `data.metadata` and `data.price` of version 2 to the route of version 3. The deposit becomes the origin's
 * input, the quoted output the destination's input. The received amount becomes the output of the destination, or of
 * the origin if there is no destination.
 *
 * @returns `null` when the record has no metadata.
 */
export function migrateRoute({ metadata, price }: RequestDataV2): RequestRoute | null {
  if (!metadata) return null;
  const { currencyGasTopup, currencyIn, currencyOut, rate, route } = metadata;
  const [from, to] = [route?.origin, route?.destination];
  const quoted = from || to ? { origin: toLeg(from), destination: toLeg(to) } : null;
  const sources = { origin: from?.includedSwapSources ?? [], destination: to?.includedSwapSources ?? [] };
  const crosses = Boolean(to) || chainOf(currencyIn) !== chainOf(currencyOut);
  const origin: Leg = {
    inputCurrency: currencyIn ?? from?.inputCurrency ?? null,
    outputCurrency: crosses ? (from?.outputCurrency ?? null) : (currencyOut ?? from?.outputCurrency ?? null),
    router: from?.router ?? null,
  };
  const destination: NonNullable<Actual["destination"]> = {
    inputCurrency: quotedOutput(price, to?.inputCurrency, currencyOut),
    outputCurrency: currencyOut ?? to?.outputCurrency ?? null,
    router: to?.router ?? null,
    ...(currencyGasTopup ? { currencyGasTopup } : {}),
  };
  return {
    includedSwapSources: [...new Set([...sources.origin, ...sources.destination])],
    includedOriginSwapSources: sources.origin,
    includedDestinationSwapSources: sources.destination,
    quoted,
    actual: { rate: rate ?? null, origin, destination: crosses ? destination : null },
  };
}

function toLeg(leg: LegV2): Leg | null {
  if (!leg) return null;
  return {
    inputCurrency: leg.inputCurrency ?? null,
    outputCurrency: leg.outputCurrency ?? null,
    router: leg.router ?? null,
  };
}

/** The quoted output comes from the route, else from `price`, in the currency of the output. */
function quotedOutput(
  price: string | null | undefined,
  input: RecordAmount | null | undefined,
  output: RecordAmount | null | undefined,
): RecordAmount | null {
  if (input) return input;
  if (typeof price !== "string") return null;
  return { amount: price, ...(output?.currency ? { currency: output.currency } : {}) };
}

const chainOf = (amount: RecordAmount | null | undefined): number | undefined => amount?.currency?.chainId;
