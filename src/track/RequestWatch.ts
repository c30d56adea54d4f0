import type { Client } from "../client/internal/Client.ts";
import { leastPollingInterval } from "../client/internal/constants.ts";
import { BaseError } from "../errors/BaseError.ts";
import { polledStatusSchema } from "../schema/request/polledStatus.ts";
import { pauseAfterMiss } from "./pauseAfterMiss.ts";
import {
  isFinalStatus,
  isSettled,
  type RequestProgress,
  reduceStatus,
  type StatusUpdate,
} from "./reduceStatus.ts";

/** Maximum number of changes buffered for a slow reader; the oldest are dropped. */
const mostChanges = 32;
const ends: readonly string[] = ["success", "failure", "refund", "fallback"];

/** What a caller of a watch chooses. Times are in milliseconds. */
export type WatchOptions = {
  /** For how long a `failure` is provisional. */
  readonly failureGrace: number;
  readonly pollingInterval: number;
  readonly requestId: string;
  /** Fires when the watch ends. */
  readonly signal: AbortSignal;
  /** Silence after which a stream counts as unreliable. */
  readonly silence: number;
};

/** A watched request: its progress, unreported changes, and poll schedule. */
export class RequestWatch {
  /** Changes that the reader has not taken. */
  readonly changes: RequestProgress[] = [];
  readonly client: Client;
  /** A permanent error. */
  fatal: { readonly error: unknown } | undefined;
  /** Whether a stream is live. */
  isLive = false;
  /** Whether the request is over. */
  isOver = false;
  isPolling = false;
  lastError: unknown;
  readonly options: WatchOptions;
  progress: RequestProgress | undefined;
  /** Wakes the reader. */
  wake: () => void = () => undefined;
  /** Time of the last report from any source. */
  #lastWordAt: number;
  /** Failed polls since the last success. */
  #misses = 0;
  /** Progress by polls alone: the end of a request has nothing of a stream's. */
  #polled: RequestProgress | undefined;
  /** Time of the last poll's result. */
  #polledAt: number;
  /** Earliest time of the next poll. */
  #pollFrom: number;
  /** Whether a report may be missing, so that the next poll must not be delayed. */
  #wantsPoll = true;

  constructor(client: Client, options: WatchOptions) {
    this.client = client;
    this.options = options;
    this.#lastWordAt = this.#polledAt = this.#pollFrom = client.now();
  }

  /** Time of the next poll: the earliest allowed, unless a live stream reports regularly and no failure. */
  get pollAt(): number {
    if (!this.isLive || this.#wantsPoll || this.progress?.failureSince !== undefined) return this.#pollFrom;
    return Math.max(this.#pollFrom, this.#lastWordAt + this.options.silence);
  }

  /** Makes the next poll due immediately, after its pause. */
  askForPollNow(): void {
    this.#pollFrom = 0;
    this.#wantsPoll = true;
  }

  /** Schedules the next poll for the earliest allowed time, as a stream has begun or broken. */
  setLive(isLive: boolean): void {
    this.isLive = isLive;
    this.#wantsPoll = true;
    this.wake();
  }

  /** Applies a report of a stream. An end only hastens the poll that confirms it; polls as without a stream until then. */
  hear(update: StatusUpdate): void {
    const receivedAt = this.client.now();
    this.#lastWordAt = receivedAt;
    if (ends.includes(update.status)) {
      this.isLive = false;
      const confirmFrom = this.#polledAt + leastPollingInterval;
      if (this.#misses === 0) this.#pollFrom = Math.min(this.#pollFrom, confirmFrom);
    } else if (!this.isOver) this.#advance(reduceStatus(this.progress, { ...update, receivedAt }));
    this.wake();
  }

  /** Polls once and records the result. Never rejects. */
  async poll(): Promise<void> {
    const { client, options } = this;
    const { failureGrace, pollingInterval, requestId, signal } = options;
    this.isPolling = true;
    this.#wantsPoll = false;
    let pause = pollingInterval;
    try {
      const answer = await client.request({
        operation: "reading the status of a request",
        path: "/intents/status/v3",
        query: { requestId },
        retryCount: 0,
        schema: polledStatusSchema,
        signal,
      });
      this.#misses = 0;
      const receivedAt = client.now();
      this.#lastWordAt = receivedAt;
      const update = { ...answer, receivedAt };
      const polled = reduceStatus(this.#polled, update);
      this.#polled = polled;
      this.isOver = polled !== undefined && isFinalStatus(polled.status);
      this.#advance(this.isOver ? polled : reduceStatus(this.progress, update));
      // A `failure` is final when a poll still finds it after the grace time.
      this.isOver ||=
        answer.status === "failure" &&
        this.progress !== undefined &&
        isSettled(this.progress, { failureGrace, now: client.now() });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof BaseError && error.retryable)) this.fatal = { error };
      this.lastError = error;
      this.#wantsPoll = true;
      this.#misses += 1;
      pause = pauseAfterMiss(client, { error, misses: this.#misses, pollingInterval });
    }
    this.isPolling = false;
    this.#polledAt = client.now();
    this.#pollFrom = this.#polledAt + pause;
    this.wake();
  }

  #advance(next: RequestProgress | undefined): void {
    if (next === undefined || next === this.progress) return;
    this.progress = next;
    if (this.changes.at(-1)?.status === next.status) this.changes.pop();
    this.changes.push(next);
    if (this.changes.length > mostChanges) this.changes.shift();
  }
}
