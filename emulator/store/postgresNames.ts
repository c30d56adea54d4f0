/** Lock of whoever writes; one at a time in a database, as in SQLite. */
export const writersLock = 7_290_011;

/** Where commits with events are told of; the message is the `application_name` of who committed. */
export const eventsChannel = "waybill_events";

/** Where changes of the API keys are told of. */
export const keysChannel = "waybill_keys";
