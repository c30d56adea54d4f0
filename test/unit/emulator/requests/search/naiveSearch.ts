import type {
  Condition,
  Range,
  SearchPlace,
  SearchQuery,
} from "../../../../../emulator/requests/search/SearchQuery.ts";
import type { Sample } from "./support.ts";

/** What a search must find, by looking at every request. */
export function naiveSearch(all: readonly Sample[], query: SearchQuery): readonly SearchPlace[] {
  const { after, sort } = query;
  const byId = new Map(all.map((sample) => [sample.row.id, sample]));
  const sign = sort.direction === "asc" ? 1 : -1;
  const compare = (a: SearchPlace, b: SearchPlace) =>
    sign * (a.value - b.value || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return all
    .filter((sample) => fits(sample, query, byId))
    .map(({ row }) => ({ id: row.id, value: row[sort.column] }))
    .filter((place) => after === undefined || compare(place, after) > 0)
    .sort(compare)
    .slice(0, query.limit);
}

function fits(sample: Sample, query: SearchQuery, byId: ReadonlyMap<string, Sample>): boolean {
  const holds = (condition: Condition) => conditionHolds(sample, condition, query.withChildren, byId);
  const { conditions, features, groups, ranges } = query;
  return (
    conditions.every(holds) &&
    (groups.length === 0 || groups.some((group) => group.every(holds))) &&
    ranges.every((range) => isWithin(sample, range)) &&
    (features.length === 0 || features.some((feature) => sample.features.includes(feature)))
  );
}

function isWithin({ row }: Sample, { column, from, to }: Range): boolean {
  const value = row[column];
  return value !== null && (from === undefined || value >= from) && (to === undefined || value <= to);
}

function conditionHolds(
  sample: Sample,
  { field, negated, values }: Condition,
  withChildren: boolean,
  byId: ReadonlyMap<string, Sample>,
): boolean {
  const has = (own: readonly (string | number | null)[], wanted = values) =>
    own.some((value) => value !== null && wanted.includes(value));
  const parent = withChildren ? byId.get(sample.row.parent_id ?? "") : undefined;
  const byParent = !negated && parent !== undefined;
  const holds =
    field === "id"
      ? has([sample.row.id]) || (byParent && has([parent.row.id]))
      : field === "depositAddress"
        ? has([sample.row.deposit_address]) || (byParent && has([parent.row.deposit_address]))
        : has(
            valuesOf(sample, field),
            field.endsWith("Symbol") ? values.map((value) => String(value).toLowerCase()) : values,
          );
  return holds !== negated;
}

function valuesOf({ hashes, row }: Sample, field: Condition["field"]): readonly (string | number | null)[] {
  const of = (kind: string) => hashes.filter((one) => one.kind === kind).map(({ hash }) => hash);
  switch (field) {
    case "orderId":
      return [row.order_id];
    case "depositTxHash":
      return of("deposit");
    case "fillTxHash":
      return of("fill");
    case "refundTxHash":
      return of("refund");
    case "txHash":
      return hashes.map(({ hash }) => hash);
    case "user":
      return [row.user, row.recipient];
    case "recipient":
      return [row.recipient];
    case "apiKey":
      return [row.api_key_id];
    case "referrer":
      return [row.referrer];
    case "originChainId":
    case "currencyInChainId":
      return [row.origin_chain_id];
    case "destinationChainId":
    case "currencyOutChainId":
      return [row.destination_chain_id];
    case "chainId":
      return [row.origin_chain_id, row.destination_chain_id];
    case "currencyInAddress":
      return [row.currency_in];
    case "currencyOutAddress":
      return [row.currency_out];
    case "currencyInSymbol":
      return [row.currency_in_symbol.toLowerCase()];
    case "currencyOutSymbol":
      return [row.currency_out_symbol.toLowerCase()];
    case "status":
      return [row.status];
    case "failReason":
      return [row.fail_reason ?? "N/A"];
    case "refundFailReason":
      return [row.refund_fail_reason ?? "N/A"];
    case "requestType":
      return [row.request_type];
    default:
      throw new Error(`there is no ${field}`);
  }
}
