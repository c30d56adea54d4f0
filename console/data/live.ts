import { effect, signal } from "@preact/signals";
import { open } from "./api.ts";
import { adminKey } from "./session.ts";
import type { Activity } from "./types.ts";

/** State of the stream of activity. */
export const connection = signal<"connecting" | "live" | "off">("off");

/** Number of the newest entry of the control's log. */
export const controlSeq = signal(0);

/** Grows when something may have been missed: views load again. */
export const epoch = signal(0);

type Listener = (activities: readonly Activity[]) => void;

const listeners = new Set<Listener>();

/** Takes every batch of activities from now on. Returns the function that ends it. */
export function onActivity(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const shortestPauseMs = 500;
const longestPauseMs = 5_000;

/** Follows the stream while there is an admin key, and resumes it where it broke off. */
export function followStream(): void {
  effect(() => {
    if (adminKey.value === undefined) {
      connection.value = "off";
      return;
    }
    const stop = new AbortController();
    void follow(stop.signal);
    return () => stop.abort();
  });
}

async function follow(signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  let pauseMs = shortestPauseMs;
  while (!signal.aborted) {
    connection.value = "connecting";
    try {
      for await (const batch of readBatches(after, signal)) {
        if (connection.peek() !== "live") {
          connection.value = "live";
          pauseMs = shortestPauseMs;
          // Another database begins at its own end.
          if (after !== undefined) epoch.value++;
        }
        after = batch.after;
        controlSeq.value = Number(after.split(".")[2]);
        if (batch.activities.some(({ action }) => action === "reset")) epoch.value++;
        if (batch.activities.length > 0) for (const listener of listeners) listener(batch.activities);
      }
    } catch {
      // Tried again below.
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

type Batch = { readonly after: string; readonly activities: readonly Activity[] };

/** Lines of the stream. `EventSource` sends no header, and the key belongs into one. */
async function* readBatches(after: string | undefined, signal: AbortSignal): AsyncGenerator<Batch> {
  const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
  const answer = await open(`/admin/activity${query}`, { signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || value === undefined) return;
    const lines = (text + value).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line) as Batch;
  }
}
