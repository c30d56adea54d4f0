import * as z from "zod/mini";
import { queryFlag, queryInteger, queryList, queryText } from "../../wire/queryField.ts";
import { wireObject } from "../../wire/wireObject.ts";

/** Statuses that the listings can be filtered by. */
export const filterableStatuses = ["success", "failure", "refund", "pending", "depositing"] as const;

const chainId = z.optional(queryInteger(1));
const text = z.optional(queryText());
const flag = z.optional(queryFlag());
const number = z.optional(queryInteger(0));

/** Parameters of both listings: which page, and in which order. */
export const pageQueryFields = {
  /** Requests a page: 20 when left out, 1 to 50. */
  limit: z._default(queryInteger(1, 50), 20),
  /** Cursor of an earlier answer, unchanged. */
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
  /** Either direction; the two above win over it. */
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
  /** With `id` or `depositAddress`: duplicates, retries and refunds too. */
  includeChildRequests: flag,
  /** Fields for the app that made the request. */
  includeAuthenticatedData: flag,
};

/**
 * Query of `GET /requests/v2`: text on the wire, typed and bounded once parsed.
 *
 * @example
 * requestsV2QuerySchema.parse({ limit: "50", originChainId: "8453" }); // { limit: 50, originChainId: 8453 }
 */
export const requestsV2QuerySchema = wireObject({
  ...pageQueryFields,
  ...commonQueryFields,
  /** Of the origin or the destination transaction. */
  hash: text,
  includeOrderData: flag,
  referrer: text,
  apiKey: text,
  sortBy: z._default(z.enum(["createdAt", "updatedAt"]), "createdAt"),
});

/** Query of `GET /requests/v2`, parsed. */
export type RequestsV2Query = z.output<typeof requestsV2QuerySchema>;
