/** Hosts of the public service, whose documented rate limits a client keeps by itself. */
export const publicHosts: readonly string[] = ["api.relay.link", "api.testnets.relay.link"];

/** Longest answer that is read, in bytes: 32 MiB. */
export const defaultMaxResponseBytes = 33_554_432;

/** Milliseconds between two polls: the service asks for no more than one a second. */
export const leastPollingInterval = 1_000;

/** Milliseconds that one call may take with all its retries. */
export const defaultTimeout = 30_000;

/** Retries after the first attempt, for calls without side effects. */
export const defaultRetryCount = 3;

/** Upper bound of the first retry's delay, in milliseconds. */
export const defaultRetryBaseDelay = 250;

/** Upper bound of every retry's delay, in milliseconds. */
export const defaultRetryMaxDelay = 10_000;
