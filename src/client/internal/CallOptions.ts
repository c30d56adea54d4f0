/** Options of every call, in addition to its own parameters. */
export type CallOptions = {
  /** Attempts after the first one; the client's own when left out. Submissions are never repeated. */
  retryCount?: number | undefined;
  /** Gives the call up. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that the call may take with all its retries; the client's own when left out. */
  timeout?: number | undefined;
};
