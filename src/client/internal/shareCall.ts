/** Calls on their way, by what makes them the same. */
export type SharedCalls = Map<string, SharedCall>;

type SharedCall = { controller: AbortController; users: number; work: Promise<unknown> };

/**
 * Joins a call that is on its way already, or begins it. A caller that leaves (by its own signal) does not affect the
 * others; the call itself is aborted when the last caller has left.
 *
 * @param key What makes two calls the same.
 * @param begin Makes the call under a signal of its own.
 * @returns The answer. A caller that joined gets a copy of its own.
 *
 * @example
 * const shared: SharedCalls = new Map();
 * await shareCall(shared, { begin: (signal) => fetch(url, { signal }), key: url, signal });
 */
export async function shareCall<Result>(
  shared: SharedCalls,
  {
    begin,
    key,
    signal,
  }: { begin: (signal: AbortSignal) => Promise<Result>; key: string; signal: AbortSignal },
): Promise<Result> {
  const found = shared.get(key);
  const call = found ?? start(shared, key, begin);
  call.users += 1;
  let here = true;
  const leave = (): void => {
    if (!here) return;
    here = false;
    call.users -= 1;
    if (call.users > 0) return;
    if (shared.get(key) === call) shared.delete(key);
    call.controller.abort(signal.reason);
  };
  signal.addEventListener("abort", leave, { once: true });
  try {
    const result = (await call.work) as Result;
    return found === undefined ? result : structuredClone(result);
  } finally {
    signal.removeEventListener("abort", leave);
    here = false;
  }
}

function start<Result>(
  shared: SharedCalls,
  key: string,
  begin: (signal: AbortSignal) => Promise<Result>,
): SharedCall {
  const controller = new AbortController();
  const call: SharedCall = { controller, users: 0, work: begin(controller.signal) };
  const done = (): void => {
    if (shared.get(key) === call) shared.delete(key);
  };
  call.work.then(done, done);
  shared.set(key, call);
  return call;
}
