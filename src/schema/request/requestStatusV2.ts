import { openEnum } from "../wire/openEnum.ts";

/** Every status of `GET /intents/status/v2` and of request records of version 2, which have no `submitted`. */
const statusesV2 = ["refund", "waiting", "depositing", "failure", "pending", "success"] as const;

/** One of {@link statusesV2}. */
export type RequestStatusV2 = (typeof statusesV2)[number];

/**
 * A status of version 2 in a response; accepts undocumented values, such as `fallback` and `delayed` of older records.
 */
export const requestStatusV2Schema = openEnum(statusesV2);
