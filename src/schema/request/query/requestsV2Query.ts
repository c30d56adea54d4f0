import * as z from "zod/mini";
import { queryFlag, queryInteger, queryList, queryText } from "../../wire/queryField.ts";
import { wireObject } from "../../wire/wireObject.ts";

/** Statuses in filters of the listings. */
export const filterableStatuses = ["success", "failure", "refund", "pending", "depositing"] as const;

const chainId = z.optional(queryInteger(1));
const text = z.optional(queryText());
const flag = z.optional(queryFlag());
const number = z.optional(queryInteger(0));

/** Page and sort parameters of both listings. */
export const pageQueryFields = {
  /** Page size, 1 to 50. Default: 20. */
  limit: z._default(queryInteger(1, 50), 20),
  /** Cursor of an earlier response, unchanged. */
  continuation: z.optional(queryText(4_096)),
  sortDirection: z.optional(z.enum(["asc", "desc"])),
};

/** Filters of both listings. */
export const commonQueryFields = {
  user: text,
  id: text,
  orderId: text,
  originChainId: chainId,
  destinationChainId: chainId,
  /** Matches origin or destination; the two fields above take precedence. */
  chainId,
  /** UUIDs. */
  privateChainsToInclude: z.optional(queryList(queryText(64))),
  depositAddress: text,
  status: z.optional(z.enum(filterableStatuses)),
  /** Unix seconds, inclusive. */
  startTimestamp: number,
  /** Unix seconds, inclusive. */
  endTimestamp: number,
  /** Block of the origin chain, inclusive. */
  startBlock: number,
  /** Block of the origin chain, inclusive. */
  endBlock: number,
  /** With `id` or `depositAddress`: includes duplicates, retries and refunds. */
  includeChildRequests: flag,
  /** Adds fields visible only to the app that made the request. */
  includeAuthenticatedData: flag,
};

/** Query of `GET /requests/v2`: text on the wire, typed and bounded once parsed. */
export type RequestsV2Query = z.output<typeof requestsV2QuerySchema>;
export const requestsV2QuerySchema = wireObject({
  ...pageQueryFields,
  ...commonQueryFields,
  /** Hash of the origin or destination transaction. */
  hash: text,
  includeOrderData: flag,
  referrer: text,
  apiKey: text,
  sortBy: z._default(z.enum(["createdAt", "updatedAt"]), "createdAt"),
});
