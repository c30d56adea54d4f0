/** Lock of a writing transaction: one at a time in a database, as in SQLite. */
export const writersLock = 7_290_011;

/** First key of the lock for deploying the service to a chain; the second key is the chain's. */
export const setupLock = 7_290_012;

/** Every process of a database holds this lock shared; a process that empties the database takes it exclusively. */
export const presenceLock = 7_290_013;

/** Channel of commits with events. The message is the committer's `application_name`. */
export const eventsChannel = "waybill_events";

/** Channel of changes of the API keys. */
export const keysChannel = "waybill_keys";

/** Channel of changes of settings. */
export const settingsChannel = "waybill_settings";
