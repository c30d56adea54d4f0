import { openEnum } from "../wire/openEnum.ts";

/**
 * Every status of a request, in the order a request can reach them.
 *
 * - `waiting`: the deposit is not yet sent, or not yet indexed.
 * - `depositing`: the deposit was confirmed through the execute API; the fill is being prepared.
 * - `pending`: the deposit is indexed; the solver prepares the fill.
 * - `submitted`: the fill was sent on the destination chain.
 * - `success`: the fill was executed; the recipient has the funds.
 * - `failure`: the fill failed. A refund may still follow.
 * - `refund`: the deposit was refunded.
 */
export const requestStatuses = [
  "waiting",
  "depositing",
  "pending",
  "submitted",
  "success",
  "failure",
  "refund",
] as const;

/** One of {@link requestStatuses}. */
export type RequestStatus = (typeof requestStatuses)[number];

/** A status in a response; accepts undocumented values. */
export const requestStatusSchema = openEnum(requestStatuses);
