import { useEffect, useState } from "preact/hooks";
import { call } from "./api.ts";
import { epoch, onActivity } from "./live.ts";
import type { Activity } from "./types.ts";

/** Data of a view: `undefined` until it is loaded. */
export type Loaded<Data> = {
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  reload(): void;
};

/** Least time between two loads that activity causes, in milliseconds. */
const restMs = 500;

/**
 * Loads data, and loads it again after activity. The data stays while it is loaded again.
 *
 * @param source A path of the API, or a function; loads again when the key changes.
 * @param refresh Whether an activity changes the data. Without it, only `reload` does.
 */
export function useData<Data>(
  key: string,
  load: (signal: AbortSignal) => Promise<Data>,
  refresh?: (activity: Activity) => boolean,
): Loaded<Data> {
  const [state, setState] = useState<{ key: string; data?: Data; error?: Error }>({ key });
  const [turn, setTurn] = useState(0);
  const since = epoch.value;
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = () =>
      load(stop.signal).then(
        (data) => !stop.signal.aborted && setState({ data, key }),
        (error: Error) =>
          !stop.signal.aborted &&
          setState((last) => (last.key === key ? { ...last, error } : { error, key })),
      );
    const off =
      refresh &&
      onActivity((activities) => {
        if (timer !== undefined || !activities.some(refresh)) return;
        timer = setTimeout(() => {
          timer = undefined;
          void run();
        }, restMs);
      });
    void run();
    return () => {
      off?.();
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, turn, since]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    reload: () => setTurn((last) => last + 1),
  };
}

/** Loads a path of the API. */
export function usePath<Data>(path: string, refresh?: (activity: Activity) => boolean): Loaded<Data> {
  return useData<Data>(path, (signal) => call(path, { signal }), refresh);
}
