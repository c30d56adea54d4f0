/** Lock of whoever writes; one at a time in a database, as in SQLite. */
export const writersLock = 7_290_011;

/** First key of the locks of processes that put the service on a chain; the second one is the chain's. */
export const setupLock = 7_290_012;

/** Every process that uses a database shares this lock; a process that empties it takes the lock for itself. */
export const presenceLock = 7_290_013;

/** Where commits with events are told of; the message is the `application_name` of who committed. */
export const eventsChannel = "waybill_events";

/** Where changes of the API keys are told of. */
export const keysChannel = "waybill_keys";

/** Where changes of what was set by hand are told of. */
export const settingsChannel = "waybill_settings";
