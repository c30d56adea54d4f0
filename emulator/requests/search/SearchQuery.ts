/** Search fields of requests, named as in `GET /requests/v3` where it has them. */
export type SearchField =
  | "id"
  | "orderId"
  | "depositTxHash"
  | "fillTxHash"
  | "refundTxHash"
  /** A transaction of any kind. */
  | "txHash"
  | "user"
  | "recipient"
  | "depositAddress"
  /** The key's id, never its secret. */
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

/** An inclusive range; either end may be open. */
export type Range = {
  readonly column: RangeColumn;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

/** Sort columns; the id breaks ties. */
export type SortColumn = "created_at" | "updated_at" | "amount_usd";

export type SearchSort = { readonly column: SortColumn; readonly direction: "asc" | "desc" };

/** Place of a request in an order. */
export type SearchPlace = { readonly value: number; readonly id: string };

/** Conditions, order and page of a search. */
export type SearchQuery = {
  /** All must hold. */
  readonly conditions: readonly Condition[];
  /** If there are groups, all conditions of at least one must hold. */
  readonly groups: readonly (readonly Condition[])[];
  readonly ranges: readonly Range[];
  /** If there are any, the request must have at least one. */
  readonly features: readonly string[];
  /** Whether a search by id or deposit address includes duplicates, retries and refunds. */
  readonly withChildren: boolean;
  readonly sort: SearchSort;
  /** Returns only requests after this place. */
  readonly after?: SearchPlace | undefined;
  /** Maximum number of results. */
  readonly limit: number;
};
