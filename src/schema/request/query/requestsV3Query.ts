import * as z from "zod/mini";
import { queryDecimal, queryFlag, queryInteger, queryList, queryText } from "../../wire/queryField.ts";
import { wireObject } from "../../wire/wireObject.ts";
import { failReasons, refundFailReasons } from "../failReason.ts";
import { requestFeatures } from "../requestFeature.ts";
import { caseInsensitiveRequestType } from "../requestType.ts";
import { requestFiltersQuerySchema } from "./requestFilters.ts";
import { commonQueryFields, pageQueryFields } from "./requestsV2Query.ts";

const chainId = z.optional(queryInteger(1));
const text = z.optional(queryText());
const dollars = z.optional(queryDecimal());
const seconds = z.optional(queryDecimal());

/**
 * Query of `GET /requests/v3`: text on the wire, typed and bounded once parsed. All filters are combined with AND.
 * `hash` and `referrer` of version 2 do not exist.
 */
export type RequestsV3Query = z.output<typeof requestsV3QuerySchema>;
export const requestsV3QuerySchema = wireObject({
  ...pageQueryFields,
  ...commonQueryFields,
  /** Adds the total number of matching requests. */
  includeTotal: z.optional(queryFlag()),
  /** Request id, wallet, deposit address or the hash of any transaction. */
  term: text,
  depositTxHash: text,
  fillTxHash: text,
  refundTxHash: text,
  recipient: text,
  failReason: z.optional(z.enum(failReasons)),
  refundFailReason: z.optional(z.enum(refundFailReasons)),
  apiKey: z.optional(queryList(queryText(256))),
  /** In any letter case. */
  requestType: z.optional(caseInsensitiveRequestType),
  currencyInChainId: chainId,
  currencyOutChainId: chainId,
  currencyInAddress: text,
  currencyOutAddress: text,
  /** In any letter case, on any chain. */
  currencyInSymbol: text,
  /** In any letter case, on any chain. */
  currencyOutSymbol: text,
  /** Input in dollars. */
  amountUsdMin: dollars,
  amountUsdMax: dollars,
  appFeesAmountUsdMin: dollars,
  appFeesAmountUsdMax: dollars,
  fillTimeMin: seconds,
  fillTimeMax: seconds,
  /** Matches requests with at least one of them. */
  features: z.optional(queryList(z.enum(requestFeatures))),
  filters: z.optional(requestFiltersQuerySchema),
  sortBy: z._default(z.enum(["createdAt", "updatedAt", "amountUsd"]), "createdAt"),
});
