import type { Client } from "../client/internal/Client.ts";
import type { StatusUpdate } from "./reduceStatus.ts";

/** Callbacks of a stream, for one watched request. None of them may throw. */
export type StatusStreamListener = {
  /** The stream broke: what happens from now on may be missed. */
  onDown: () => void;
  /** The stream tells of the request from now on. What happened before it does not. */
  onLive: () => void;
  onUpdate: (update: StatusUpdate) => void;
  /** 32 bytes in hexadecimal. */
  requestId: string;
  /** Fires when the watch ends: the stream must release everything. */
  signal: AbortSignal;
};

/**
 * Opens a source of statuses that tells by itself, and keeps it open. It throws only for parameters that cannot work;
 * whatever else is wrong with it shows as a stream that does not go live.
 */
export type StatusStream = (client: Client, listener: StatusStreamListener) => void;
