/** Options of every call, in addition to its own parameters. */
export type CallOptions = {
  /** Attempts after the first one. Default: the client's. Submissions are never retried. */
  retryCount?: number | undefined;
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
  /** Time limit of the call with all its retries, in milliseconds. Default: the client's. */
  timeout?: number | undefined;
};
