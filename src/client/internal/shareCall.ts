/** Calls in flight, by key. */
export type SharedCalls = Map<string, SharedCall>;

type SharedCall = { controller: AbortController; users: number; work: Promise<unknown> };

/**
 * Joins a call in flight, or starts it. A caller's signal removes only that caller; the call is aborted when the last
 * caller leaves.
 *
 * @param key Equal for equal calls.
 * @param begin Starts the call with its own signal.
 * @returns The response. Each joined caller gets its own copy.
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
