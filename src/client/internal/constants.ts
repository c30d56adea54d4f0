/** Hosts of the public service, to which the documented rate limits apply. */
export const publicHosts: readonly string[] = ["api.relay.link", "api.testnets.relay.link"];

/** Default maximum response, in bytes: 32 MiB. */
export const defaultMaxResponseBytes = 33_554_432;

/** Minimum milliseconds between polls: the service allows one a second. */
export const leastPollingInterval = 1_000;

/** Default time limit of a call with all its retries, in milliseconds. */
export const defaultTimeout = 30_000;
