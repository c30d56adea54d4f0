import type { Client } from "../client/internal/Client.ts";
import type { StatusUpdate } from "./reduceStatus.ts";

/** Callbacks of a stream, for one watched request. None of them may throw. */
export type StatusStreamListener = {
  /** The stream broke: later changes may be missed. */
  onDown: () => void;
  /** The stream is live. It does not report earlier changes. */
  onLive: () => void;
  onUpdate: (update: StatusUpdate) => void;
  /** 32 bytes in hexadecimal. */
  requestId: string;
  /** Fires when the watch ends: the stream must release everything. */
  signal: AbortSignal;
};

/**
 * Opens a push source of statuses and keeps it open. Throws only for invalid parameters; other errors show as a stream
 * that does not go live.
 */
export type StatusStream = {
  (client: Client, listener: StatusStreamListener): void;
  /** Throws for the parameters for which opening would throw. `execute` calls it before it pays. */
  check?: ((client: Client) => void) | undefined;
};
