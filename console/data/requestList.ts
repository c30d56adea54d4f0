import { type Signal, signal } from "@preact/signals";
import { call } from "./api.ts";
import { onActivity } from "./live.ts";
import type { RequestPage, RequestRow } from "./types.ts";

/** Filters of the list, as they stand in its address. */
export type Filters = {
  readonly status: string;
  readonly chain: string;
  readonly reason: string;
  readonly type: string;
  readonly term: string;
};

export type RequestList = {
  /** Newest first. */
  readonly rows: Signal<readonly RequestRow[]>;
  /** Number of matching requests, loaded or not. */
  readonly total: Signal<number | undefined>;
  readonly counts: Signal<NonNullable<RequestPage["counts"]>>;
  /** New requests that wait until the reader is at the top, so that rows in sight do not move. */
  readonly held: Signal<readonly RequestRow[]>;
  readonly error: Signal<Error | undefined>;
  /** Loads the next page, if there is one. */
  more(): void;
  /** Whether the reader is at the top, where new requests are shown at once. */
  setTop(isTop: boolean): void;
  close(): void;
};

const pageSize = 50;
/** Pause between two loads of changed requests, in milliseconds. */
const restMs = 1_000;
/** Loads of changed requests between two counts. */
const roundsPerCount = 3;

export function openRequestList({ chain, reason, status, term, type }: Filters): RequestList {
  const query = new URLSearchParams(
    Object.entries({ chainId: chain, failReason: reason, requestType: type, status, term }).filter(
      ([, value]) => value !== "",
    ),
  );
  const rows = signal<readonly RequestRow[]>([]);
  const held = signal<readonly RequestRow[]>([]);
  const total = signal<number | undefined>(undefined);
  const counts = signal<NonNullable<RequestPage["counts"]>>({});
  const error = signal<Error | undefined>(undefined);
  const stop = new AbortController();
  const changed = new Set<string>();
  let continuation: string | undefined = "";
  let isLoading = false;
  let isTop = true;
  let round = 0;

  const read = (more: Readonly<Record<string, string>>) =>
    call<RequestPage>(`/admin/requests?${new URLSearchParams([...query, ...Object.entries(more)])}`, {
      signal: stop.signal,
    });
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
      error.value = undefined;
    } catch (cause) {
      if (!stop.signal.aborted) error.value = cause as Error;
    }
  };
  const count = async () => {
    const page = await read({ includeCounts: "true", includeTotal: "true", limit: "1" });
    total.value = page.total;
    counts.value = page.counts ?? {};
  };
  const more = () => {
    if (isLoading || continuation === undefined) return;
    isLoading = true;
    void guarded(async () => {
      const page = await read({ limit: String(pageSize), ...(continuation && { continuation }) });
      const known = new Set(rows.peek().map(({ requestId }) => requestId));
      rows.value = [...rows.peek(), ...page.requests.filter(({ requestId }) => !known.has(requestId))];
      continuation = page.continuation;
    }).finally(() => {
      isLoading = false;
    });
  };
  const release = () => {
    if (held.peek().length === 0) return;
    rows.value = [...held.peek(), ...rows.peek()];
    held.value = [];
  };
  const update = async () => {
    const ids = [...changed].slice(0, pageSize);
    if (ids.length === 0) return;
    for (const id of ids) changed.delete(id);
    const page = await read({ filters: JSON.stringify([{ id: ids }]), limit: String(pageSize) });
    const found = new Map(page.requests.map((row) => [row.requestId, row]));
    const asked = new Set(ids);
    const keep = (list: readonly RequestRow[]) =>
      list.flatMap((row) => {
        if (!asked.has(row.requestId)) return [row];
        const fresh = found.get(row.requestId);
        found.delete(row.requestId);
        return fresh ?? [];
      });
    const [shown, waiting] = [keep(rows.peek()), keep(held.peek())];
    const newest = shown[0]?.createdAt ?? 0;
    const fresh = [...found.values()].filter(({ createdAt }) => createdAt >= newest);
    rows.value = shown;
    held.value = [...fresh, ...waiting];
    if (isTop) release();
    if (round++ % roundsPerCount === 0) await count();
  };

  const off = onActivity((activities) => {
    for (const { requestId } of activities) if (requestId !== undefined) changed.add(requestId);
  });
  let timer: ReturnType<typeof setTimeout>;
  const tick = async () => {
    await guarded(update);
    // Behind by more than a page: no rest.
    if (!stop.signal.aborted) timer = setTimeout(tick, changed.size > pageSize ? 0 : restMs);
  };
  more();
  void guarded(count);
  timer = setTimeout(tick, restMs);
  return {
    ...{ counts, error, held, more, rows, total },
    close: () => {
      off();
      clearTimeout(timer);
      stop.abort();
    },
    setTop: (value) => {
      isTop = value;
      if (isTop) release();
    },
  };
}
