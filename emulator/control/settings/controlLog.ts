import type { Transaction } from "kysely";
import * as z from "zod";
import type { Context } from "../../context/Context.ts";
import type { Store } from "../../store/openStore.ts";
import type { ControlLogRow, Tables } from "../../store/tables.ts";

/** One thing that somebody had done to the emulator, or a fault did. */
export type ControlEntry = {
  /** `fault` for one that fired; else the name of what was done, such as `clock` or `reorg`. */
  readonly kind: string;
  readonly faultId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Particulars, as JSON has them. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
};

const dataSchema = z.record(z.string(), z.unknown());

/** An entry as it was written down. */
export type ControlLogEntry = ControlEntry & {
  readonly seq: number;
  /** Unix milliseconds of the clock. */
  readonly at: number;
};

/** What was done on purpose, oldest first: beside the event log it tells why a run went as it did. */
export type ControlLog = {
  /** Takes note at once and writes in its own time, in order. */
  write(entry: ControlEntry): void;
  /** Writes in the caller's transaction. */
  writeIn(transaction: Transaction<Tables>, entry: ControlEntry): Promise<void>;
  /** Resolves once everything is written. */
  settled(): Promise<void>;
  /** Entries behind `after`, at most `limit`. */
  list(parameters?: {
    readonly after?: number | undefined;
    readonly limit?: number | undefined;
  }): Promise<readonly ControlLogEntry[]>;
};

const defaultLimit = 100;

/** Opens the log of one process. Its writes are one after the other. */
export function openControlLog({ log, now, store }: Pick<Context, "log" | "now" | "store">): ControlLog {
  let last = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => {
    last = last.then(work).catch((cause: unknown) => {
      log({ cause, level: "error", message: "what was done could not be written down" });
    });
  };
  return {
    list: async ({ after = 0, limit = defaultLimit } = {}) => {
      await last;
      const rows = await store
        .selectFrom("control_log")
        .selectAll()
        .where("seq", ">", after)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map(toEntry);
    },
    settled: () => last,
    write: (entry) => {
      const at = now();
      enqueue(() => insert(store, entry, at));
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
