import * as z from "zod";
import type { Context } from "../../context/Context.ts";
import type { ControlLogRow, Store, StoreTransaction } from "../../store/tables.ts";

type ControlEntry = {
  /** `fault` for a fired fault; otherwise the name of the action, such as `clock` or `reorg`. */
  readonly kind: string;
  readonly faultId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Details, as JSON values. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
};

const dataSchema = z.record(z.string(), z.unknown());

/** A stored entry. */
export type ControlLogEntry = ControlEntry & {
  readonly seq: number;
  /** Unix milliseconds of the clock. */
  readonly at: number;
};

/** Log of control actions and fired faults; it explains the event log of a test run. */
export type ControlLog = {
  /** Queues an entry with the current time; entries are written in order. */
  write(entry: ControlEntry): void;
  /** Writes an entry in the caller's transaction. */
  writeIn(transaction: StoreTransaction, entry: ControlEntry): Promise<void>;
  /** Resolves once all queued entries are written. */
  settled(): Promise<void>;
  /** Lists entries with a `seq` above `after`, of one request or of all, oldest first. @default at most 100 */
  list(parameters?: ControlLogQuery): Promise<readonly ControlLogEntry[]>;
};

/** See {@link ControlLog.list}. */
export type ControlLogQuery = {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly requestId?: string | undefined;
};

const defaultLimit = 100;

/** Opens the control log of one process. It writes one entry at a time. */
export function openControlLog({ log, now, store }: Pick<Context, "log" | "now" | "store">): ControlLog {
  let last = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => {
    last = last.then(work).catch((cause: unknown) => {
      log({ cause, level: "error", message: "a control log entry could not be written" });
    });
  };
  return {
    list: async ({ after = 0, limit = defaultLimit, requestId } = {}) => {
      await last;
      const rows = store.selectFrom("control_log").selectAll().where("seq", ">", after);
      const chosen = requestId === undefined ? rows : rows.where("request_id", "=", requestId.toLowerCase());
      return (await chosen.orderBy("seq").limit(limit).execute()).map(toEntry);
    },
    settled: () => last,
    write: (entry) => {
      const at = now();
      // A transaction, because only commits of transactions wake followers.
      enqueue(() => store.transaction().execute((transaction) => insert(transaction, entry, at)));
    },
    writeIn: (transaction, entry) => insert(transaction, entry, now()),
  };
}

async function insert(store: Store, { data = {}, faultId, kind, requestId }: ControlEntry, at: number) {
  await store
    .insertInto("control_log")
    .values({
      at,
      data: JSON.stringify(data),
      fault_id: faultId ?? null,
      kind,
      request_id: requestId ?? null,
    })
    .execute();
}

function toEntry({ at, data, fault_id, kind, request_id, seq }: ControlLogRow): ControlLogEntry {
  return {
    at,
    data: dataSchema.parse(JSON.parse(data)),
    kind,
    seq,
    ...(fault_id !== null && { faultId: fault_id }),
    ...(request_id !== null && { requestId: request_id }),
  };
}
