import * as z from "zod";
import {
  filterConditions,
  type RequestFilterGroup,
} from "../../../../src/schema/request/query/requestFilters.ts";
import type { RequestsV2Query } from "../../../../src/schema/request/query/requestsV2Query.ts";
import type { RequestsV3Query } from "../../../../src/schema/request/query/requestsV3Query.ts";
import { isSvmAddress } from "../../../../src/svm/address.ts";
import { storedAccount } from "../../../chains/accountText.ts";
import type { ApiKey } from "../../../keys/openApiKeys.ts";
import type {
  Condition,
  Range,
  RangeColumn,
  SearchField,
  SearchPlace,
  SearchQuery,
  SearchSort,
} from "../../../requests/search/SearchQuery.ts";
import { InvalidRequestError } from "../../body/readBody.ts";

const microsPerDollar = 1_000_000;
const millisecondsPerSecond = 1_000;

/** Parameters of both versions, and of version 3 alone. */
type Query = Partial<Omit<RequestsV3Query, "apiKey">> & Pick<RequestsV3Query, "limit" | "sortBy">;

/** Parameters that are conditions on a field of the same name. */
const plainFields = [
  ...["id", "orderId", "user", "recipient", "depositAddress", "depositTxHash", "fillTxHash", "refundTxHash"],
  ...["failReason", "refundFailReason", "requestType", "currencyInChainId", "currencyOutChainId"],
  ...["currencyInAddress", "currencyOutAddress", "currencyInSymbol", "currencyOutSymbol"],
] as const satisfies readonly string[];

const sortColumns = { amountUsd: "amount_usd", createdAt: "created_at", updatedAt: "updated_at" } as const;

/** Converts a key to its id: searches never use keys. */
type KeyToId = (key: string) => ApiKey["id"];

/** Converts a query of `GET /requests/v3` to a search. Its limit is one above the page, to detect a next page. */
export function readSearchV3(query: RequestsV3Query, keyToId: KeyToId): SearchQuery {
  const { apiKey, features = [], filters = [], status, term } = query;
  const conditions = [
    ...commonConditions(query),
    ...(status === undefined ? [] : [is("status", status)]),
    ...(apiKey === undefined ? [] : [is("apiKey", ...apiKey.map(keyToId))]),
  ];
  const groups = filters.map((group) => groupConditions(group, keyToId));
  return {
    ...paging(query),
    conditions,
    features,
    groups: bothOf(groups, term === undefined ? [] : termGroups(term)),
    // A client that sorts by the last change also filters by it.
    ranges: rangesOf(query, query.sortBy === "updatedAt" ? "updated_at" : "created_at"),
  };
}

/** Converts a query of `GET /requests/v2` to a search. */
export function readSearchV2(query: RequestsV2Query, keyToId: KeyToId): SearchQuery {
  const { apiKey, hash, referrer, status, user, ...others } = query;
  return {
    ...paging(query),
    conditions: [
      ...commonConditions(others),
      // Version 2 reports `submitted` as `pending`.
      ...(status === undefined ? [] : [is("status", status, ...(status === "pending" ? ["submitted"] : []))]),
      ...(hash === undefined ? [] : [is("txHash", normal(hash))]),
      ...(referrer === undefined ? [] : [is("referrer", referrer)]),
      ...(apiKey === undefined ? [] : [is("apiKey", keyToId(apiKey))]),
    ],
    features: [],
    // The official widget finds the requests of a deposit address by `user`.
    groups: user === undefined ? [] : accountGroups(normal(user)),
    ranges: rangesOf(query, "created_at"),
  };
}

function paging(query: Query): Pick<SearchQuery, "after" | "limit" | "sort" | "withChildren"> {
  const { continuation, includeChildRequests = false, limit, sortBy } = query;
  const direction = query.sortDirection ?? (sortBy === "amountUsd" ? "asc" : "desc");
  const sort: SearchSort = { column: sortColumns[sortBy], direction };
  return {
    ...(continuation !== undefined && { after: readCursor(continuation, sort) }),
    limit: limit + 1,
    sort,
    withChildren: includeChildRequests,
  };
}

const cursorSchema = z.tuple([
  z.enum(["created_at", "updated_at", "amount_usd"]),
  z.enum(["asc", "desc"]),
  z.int(),
  z.string().min(1).max(256),
]);

/**
 * Encodes the place after which the next page begins. A cursor names a place in the sort order, not a number of rows, so
 * new and changed requests do not shift the page.
 */
export function writeCursor({ column, direction }: SearchSort, { id, value }: SearchPlace): string {
  return Buffer.from(JSON.stringify([column, direction, Number(value), id])).toString("base64url");
}

/** Decodes a cursor. */
function readCursor(cursor: string, sort: SearchSort): SearchPlace {
  const read = cursorSchema.safeParse(parse(cursor));
  if (!read.success)
    throw new InvalidRequestError("Invalid request: `continuation`: not a cursor of this service");
  const [column, direction, value, id] = read.data;
  if (column !== sort.column || direction !== sort.direction) {
    throw new InvalidRequestError("Invalid request: `continuation`: a cursor of another order");
  }
  return { id, value };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

function commonConditions(query: Query): Condition[] {
  const values = query as Readonly<Record<string, unknown>>;
  const plain = plainFields.flatMap((field) => {
    const value = values[field];
    return value === undefined ? [] : [is(field as SearchField, normal(value as number | string))];
  });
  const { chainId, destinationChainId, originChainId } = query;
  // `chainId` applies only if the query names no direction.
  const isEither = originChainId === undefined && destinationChainId === undefined;
  return [
    ...plain,
    ...(originChainId === undefined ? [] : [is("originChainId", originChainId)]),
    ...(destinationChainId === undefined ? [] : [is("destinationChainId", destinationChainId)]),
    ...(chainId === undefined || !isEither ? [] : [is("chainId", chainId)]),
  ];
}

function groupConditions(group: RequestFilterGroup, keyToId: KeyToId): Condition[] {
  return filterConditions(group).map(({ field, negated, values }) => ({
    field,
    negated,
    values: values.map((value) => (field === "apiKey" ? keyToId(String(value)) : normal(value))),
  }));
}

/** 64 bytes in base58, which identify a transaction of the SVM chain. */
const svmSignature = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Conditions of a search term: 32 bytes in hexadecimal are an id or a hash, any other text is an address. */
function termGroups(term: string): Condition[][] {
  const value = normal(term);
  if (svmSignature.test(term)) return [[is("txHash", term)]];
  if (/^0x[0-9a-f]{64}$/.test(term.toLowerCase())) return [[is("id", value)], [is("txHash", value)]];
  return accountGroups(value);
}

/** An account is a request's sender, recipient or deposit address. */
function accountGroups(account: string): Condition[][] {
  return [[is("user", account)], [is("depositAddress", account)]];
}

/** Combines two lists of groups: one group of each must hold. */
function bothOf(first: readonly Condition[][], second: readonly Condition[][]): readonly Condition[][] {
  if (first.length === 0 || second.length === 0) return [...first, ...second];
  return first.flatMap((group) => second.map((other) => [...group, ...other]));
}

function rangesOf(query: Query, timeColumn: "created_at" | "updated_at"): Range[] {
  const micros = (dollars: number | undefined) =>
    dollars === undefined ? undefined : Math.round(dollars * microsPerDollar);
  const milliseconds = (seconds: number | undefined) =>
    seconds === undefined ? undefined : Math.round(seconds * millisecondsPerSecond);
  // A second ends with its last millisecond.
  const end = query.endTimestamp;
  return [
    range(
      timeColumn,
      milliseconds(query.startTimestamp),
      end === undefined ? undefined : (end + 1) * 1_000 - 1,
    ),
    range("origin_block", query.startBlock, query.endBlock),
    range("amount_usd", micros(query.amountUsdMin), micros(query.amountUsdMax)),
    range("app_fees_usd", micros(query.appFeesAmountUsdMin), micros(query.appFeesAmountUsdMax)),
    range("fill_time_ms", milliseconds(query.fillTimeMin), milliseconds(query.fillTimeMax)),
  ].flat();
}

function range(column: RangeColumn, from: number | undefined, to: number | undefined): Range[] {
  return from === undefined && to === undefined ? [] : [{ column, from: bounded(from), to: bounded(to) }];
}

function bounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.min(value, Number.MAX_SAFE_INTEGER);
}

function is(field: SearchField, ...values: readonly (number | string)[]): Condition {
  return { field, negated: false, values };
}

/** Lowers hexadecimal, as it is stored. Other addresses are case-sensitive. */
function normal<Value extends number | string>(value: Value): Value {
  if (typeof value !== "string") return value;
  const isAddress = /^0x/i.test(value) || isSvmAddress({ address: value });
  return isAddress ? (storedAccount(value) as Value) : value;
}

/** Descriptions of parameters of both listings. */
export const pageNotes = {
  chainId: "Either direction; ignored with `originChainId` or `destinationChainId`.",
  continuation: "Cursor of an earlier answer in the same order, unchanged.",
  endBlock: "Block of the origin chain, inclusive.",
  endTimestamp: "Unix seconds of the creation, inclusive.",
  includeAuthenticatedData: "Fields for the app that made the request, where the header has its key.",
  includeChildRequests: "With `id` or `depositAddress`: duplicates, retries and refunds too.",
  sortDirection: "`desc` when left out; `asc` for `amountUsd`.",
  startBlock: "Block of the origin chain, inclusive.",
  startTimestamp: "Unix seconds of the creation, inclusive.",
  user: "Sender or recipient.",
};

/** Descriptions of parameters of version 3 alone. */
export const searchNotes = {
  amountUsdMin: "Dollars that went in.",
  apiKey: "The key of the header, or its id.",
  currencyInSymbol: "In any letter case, on any chain.",
  currencyOutSymbol: "In any letter case, on any chain.",
  endTimestamp: "Unix seconds, inclusive, of the creation; of the last change where `sortBy` is `updatedAt`.",
  features: "Requests that have at least one of them.",
  fillTimeMin: "Seconds from deposit to success.",
  filters:
    "Groups as JSON: a request matches when it matches one of them. Fields of a group are combined with AND, entries of a list with OR, and `not:` before a name turns it round.",
  includeTotal: "Adds the number of all requests that match.",
  requestType: "In any letter case.",
  startTimestamp:
    "Unix seconds, inclusive, of the creation; of the last change where `sortBy` is `updatedAt`.",
  term: "Request id, wallet, deposit address or the hash of any transaction.",
};
