import type {
  Condition,
  Range,
  SearchPlace,
  SearchQuery,
} from "../../../../../emulator/requests/search/SearchQuery.ts";
import type { Sample } from "./support.ts";

/** The expected places of a search, by a check of every request. */
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
  const read = valuesOf[field];
  if (read === undefined) throw new Error(`no field ${field}`);
  const wanted = field.endsWith("Symbol") ? values.map((value) => String(value).toLowerCase()) : values;
  const has = (own: Values) => own.some((value) => value !== null && wanted.includes(value));
  // A child is found by its parent's id and deposit address.
  const isInherited = withChildren && !negated && (field === "id" || field === "depositAddress");
  const parent = isInherited ? byId.get(sample.row.parent_id ?? "") : undefined;
  const holds = has(read(sample)) || (parent !== undefined && has(read(parent)));
  return holds !== negated;
}

type Values = readonly (string | number | null)[];

const hashesOf = ({ hashes }: Sample, kind?: string): Values =>
  hashes.filter((one) => kind === undefined || one.kind === kind).map(({ hash }) => hash);

/** The values of a request that a condition on each field is compared with. */
const valuesOf: Readonly<Partial<Record<Condition["field"], (sample: Sample) => Values>>> = {
  apiKey: ({ row }) => [row.api_key_id],
  chainId: ({ row }) => [row.origin_chain_id, row.destination_chain_id],
  currencyInAddress: ({ row }) => [row.currency_in],
  currencyInChainId: ({ row }) => [row.origin_chain_id],
  currencyInSymbol: ({ row }) => [row.currency_in_symbol.toLowerCase()],
  currencyOutAddress: ({ row }) => [row.currency_out],
  currencyOutChainId: ({ row }) => [row.destination_chain_id],
  currencyOutSymbol: ({ row }) => [row.currency_out_symbol.toLowerCase()],
  depositAddress: ({ row }) => [row.deposit_address],
  depositTxHash: (sample) => hashesOf(sample, "deposit"),
  destinationChainId: ({ row }) => [row.destination_chain_id],
  failReason: ({ row }) => [row.fail_reason ?? "N/A"],
  fillTxHash: (sample) => hashesOf(sample, "fill"),
  id: ({ row }) => [row.id],
  orderId: ({ row }) => [row.order_id],
  originChainId: ({ row }) => [row.origin_chain_id],
  recipient: ({ row }) => [row.recipient],
  referrer: ({ row }) => [row.referrer],
  refundFailReason: ({ row }) => [row.refund_fail_reason ?? "N/A"],
  refundTxHash: (sample) => hashesOf(sample, "refund"),
  requestType: ({ row }) => [row.request_type],
  status: ({ row }) => [row.status],
  txHash: (sample) => hashesOf(sample),
  user: ({ row }) => [row.user, row.recipient],
};
