import type { Store, SvmEntryRow } from "../../store/tables.ts";
import { parseSvmOutcome, type SvmOutcome } from "./SvmOutcome.ts";
import type { SvmHead } from "./svmLog.ts";

/** A transaction of the SVM chain. A void one was not executed. */
export type SvmEntry = Pick<SvmEntryRow, "slot" | "at" | "blockhash"> & {
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly outcome: SvmOutcome;
  /** Whether it was not executed, and never will be. */
  readonly isVoid: boolean;
};

/** Finds a transaction by its signature, in base58. */
export async function findSvmEntry(store: Store, signature: string): Promise<SvmEntry | undefined> {
  const row = await store
    .selectFrom("svm_entries")
    .selectAll()
    .where("signature", "=", signature)
    .executeTakeFirst();
  return row && transactionOf(row);
}

/** Whether the chain's history still contains a slot. Its block hash covers all slots before it. */
export async function isSvmHistory(
  store: Store,
  { blockhash, slot }: Pick<SvmHead, "blockhash" | "slot">,
): Promise<boolean> {
  const row = await store
    .selectFrom("svm_entries")
    .select("slot")
    .where("slot", "=", slot)
    .where("blockhash", "=", blockhash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Bounds of a list of transactions. */
type SvmTransactionsOf = {
  readonly address: string;
  readonly limit: number;
  /** Only older ones than this signature; an unknown one yields none. */
  readonly before?: string | undefined;
  /** Only newer ones than this signature; an unknown one has no effect. */
  readonly until?: string | undefined;
};

/** Transactions that name an account, the newest first. */
export async function svmTransactionsOf(
  store: Store,
  { address, before, limit, until }: SvmTransactionsOf,
): Promise<readonly SvmEntry[]> {
  const slotOf = async (signature: string | undefined) =>
    signature === undefined ? undefined : (await findSvmEntry(store, signature))?.slot;
  const [above, below] = [(await slotOf(until)) ?? -1, await slotOf(before)];
  if (before !== undefined && below === undefined) return [];
  const rows = await store
    .selectFrom("svm_account_entries")
    .innerJoin("svm_entries", "svm_entries.slot", "svm_account_entries.slot")
    .selectAll("svm_entries")
    .where("svm_account_entries.address", "=", address)
    .where("svm_account_entries.slot", ">", above)
    .$if(below !== undefined, (query) => query.where("svm_account_entries.slot", "<", below ?? 0))
    .orderBy("svm_account_entries.slot", "desc")
    .limit(limit)
    .execute();
  return rows.map(transactionOf);
}

/** Slots after `above`, up to `to`, and the most transactions to read. */
type SvmRange = { readonly above: number; readonly limit: number; readonly to: number };

/** Transactions of some slots that name one of some accounts, the oldest first. */
export async function svmTransactionsNaming(
  store: Store,
  { above, addresses, limit, to }: SvmRange & { readonly addresses: readonly string[] },
): Promise<readonly SvmEntry[]> {
  const rows = await store
    .selectFrom("svm_entries")
    .selectAll()
    .where("slot", "in", (query) =>
      query
        .selectFrom("svm_account_entries")
        .select("slot")
        .where("address", "in", addresses)
        .where("slot", ">", above)
        .where("slot", "<=", to),
    )
    .orderBy("slot")
    .limit(limit)
    .execute();
  return rows.map(transactionOf);
}

/** All transactions of some slots, the oldest first. */
export async function svmTransactionsBetween(
  store: Store,
  { above, limit, to }: SvmRange,
): Promise<readonly SvmEntry[]> {
  const rows = await store
    .selectFrom("svm_entries")
    .selectAll()
    .where("slot", ">", above)
    .where("slot", "<=", to)
    .where("signature", "is not", null)
    .orderBy("slot")
    .limit(limit)
    .execute();
  return rows.map(transactionOf);
}

function transactionOf({ at, blockhash, data, kind, outcome, signature, slot }: SvmEntryRow): SvmEntry {
  if (signature === null || outcome === null) throw new Error(`slot ${slot} holds no transaction`);
  return {
    ...{ at, blockhash, signature, slot },
    isVoid: kind === "void",
    outcome: parseSvmOutcome(outcome),
    wire: Buffer.from(data, "base64"),
  };
}
