/** What a request can be searched by, in the words of `GET /requests/v3` where it has one. */
export type SearchField =
  | "id"
  | "orderId"
  | "depositTxHash"
  | "fillTxHash"
  | "refundTxHash"
  /** Of whatever kind. */
  | "txHash"
  | "user"
  | "recipient"
  | "depositAddress"
  /** By id, not by the key itself. */
  | "apiKey"
  | "referrer"
  | "originChainId"
  | "destinationChainId"
  | "chainId"
  | "currencyInChainId"
  | "currencyOutChainId"
  | "currencyInAddress"
  | "currencyOutAddress"
  | "currencyInSymbol"
  | "currencyOutSymbol"
  | "status"
  | "failReason"
  | "refundFailReason"
  | "requestType";

/** The field has one of the values, or none of them. */
export type Condition = {
  readonly field: SearchField;
  readonly negated: boolean;
  readonly values: readonly (number | string)[];
};

/** Columns that are searched by range. */
export type RangeColumn =
  | "created_at"
  | "updated_at"
  | "amount_usd"
  | "app_fees_usd"
  | "fill_time_ms"
  | "origin_block";

/** Both ends belong to it; one may be open. */
export type Range = {
  readonly column: RangeColumn;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

/** Columns that results are ordered by; the id decides between equals. */
export type SortColumn = "created_at" | "updated_at" | "amount_usd";

export type SearchSort = { readonly column: SortColumn; readonly direction: "asc" | "desc" };

/** Place of a request in an order. */
export type SearchPlace = { readonly value: number; readonly id: string };

/** Which requests, and which of them first. */
export type SearchQuery = {
  /** All must hold. */
  readonly conditions: readonly Condition[];
  /** Unless there is none, all conditions of one of the groups must hold. */
  readonly groups: readonly (readonly Condition[])[];
  readonly ranges: readonly Range[];
  /** Unless there is none, the request has one of them. */
  readonly features: readonly string[];
  /** Whether requests that are named by id or deposit address bring along their duplicates, retries and refunds. */
  readonly withChildren: boolean;
  readonly sort: SearchSort;
  /** Only what comes behind it. */
  readonly after?: SearchPlace | undefined;
  /** At most so many. */
  readonly limit: number;
};
