/** Exit codes of all commands; `docs/command.md` documents them. */
export const exitCodes = {
  ok: 0,
  /** The service refused, a check failed, or a watched request ended without success. */
  refused: 1,
  /** Wrong flags, arguments or configuration. */
  usage: 2,
  /** No usable answer: unreachable, timed out, 429 or 5xx. The same call may succeed later. */
  unreachable: 3,
  /** A key is missing or was refused. */
  key: 4,
  /** A bug of the command. */
  internal: 70,
  /** Ctrl-C: 128 and the number of SIGINT. */
  interrupted: 130,
  /** The reader of the output went away: 128 and the number of SIGPIPE. */
  closedPipe: 141,
  /** 128 and the number of SIGTERM. */
  terminated: 143,
} as const;

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
