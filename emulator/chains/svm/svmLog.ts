import { createHash } from "node:crypto";
import { bytesToHex, type Hex } from "viem";
import * as z from "zod";
import { encodeBase58 } from "../../../src/internal/base58.ts";
import { uintStringSchema } from "../../../src/schema/wire/wireAmount.ts";
import type { Store, StoreTransaction, SvmEntryRow } from "../../store/tables.ts";
import type { SvmBalance, SvmMachine } from "./createSvmMachine.ts";
import { type DecodedTransaction, decodeSvmTransaction } from "./decodeSvmTransaction.ts";
import type { SvmPackages } from "./loadSvm.ts";
import { type SvmOutcome, serializeSvmOutcome } from "./SvmOutcome.ts";

/** The store that holds the chain, with time and randomness. */
export type SvmSources = {
  readonly store: Store;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random32: () => Hex;
};

/** The newest slot. Its block hash is valid for the next {@link blockhashSlots}. */
export type SvmHead = Pick<SvmEntryRow, "slot" | "blockhash" | "at">;

/** A transaction with what it did. */
type Executed = {
  readonly at: number;
  readonly decoded: DecodedTransaction;
  readonly outcome: SvmOutcome;
  readonly wire: Uint8Array;
};

/** Starts the chain where there is none: at first, and after a reset of the store. */
export async function startSvmLog(
  { now, random32, store }: SvmSources,
  genesis: readonly SvmBalance[],
): Promise<void> {
  const first = (from: Store) =>
    from.selectFrom("svm_entries").select("slot").where("slot", "=", 0).executeTakeFirst();
  if ((await first(store)) !== undefined) return;
  await store.transaction().execute(async (transaction) => {
    if ((await first(transaction)) !== undefined) return;
    const entry = {
      at: now(),
      data: "",
      kind: "genesis",
      message_hash: null,
      outcome: null,
      signature: null,
      slot: 0,
    } as const;
    await appendBalances(transaction, await append(transaction, random32(), entry), genesis, now);
  });
}

async function append(
  transaction: StoreTransaction,
  before: string,
  entry: Omit<SvmEntryRow, "blockhash">,
): Promise<SvmHead> {
  const blockhash = nextBlockhash(before, entry);
  await transaction
    .insertInto("svm_entries")
    .values({ ...entry, blockhash })
    .execute();
  return { at: entry.at, blockhash, slot: entry.slot };
}

/** Stores set balances, each in a slot of its own. */
export async function appendBalances(
  transaction: StoreTransaction,
  head: SvmHead,
  balances: readonly SvmBalance[],
  now: () => number,
): Promise<SvmHead> {
  let newest = head;
  for (const balance of balances) {
    const data = JSON.stringify({ ...balance, amount: balance.amount.toString() });
    const entry = {
      at: now(),
      data,
      kind: "balance",
      outcome: null,
      message_hash: null,
      signature: null,
    } as const;
    newest = await append(transaction, newest.blockhash, { ...entry, slot: newest.slot + 1 });
  }
  return newest;
}

/** Stores a transaction with what it did, or that it is void. */
export async function appendTransaction(
  transaction: StoreTransaction,
  head: SvmHead,
  kind: "transaction" | "void",
  { at, decoded, outcome, wire }: Executed,
): Promise<SvmHead> {
  const data = Buffer.from(wire).toString("base64");
  const { messageHash: message_hash, signature } = decoded;
  const entry = { at, data, kind, message_hash, signature, slot: head.slot + 1 };
  const newest = await append(transaction, head.blockhash, {
    ...entry,
    outcome: serializeSvmOutcome(outcome),
  });
  const rows = decoded.accounts.map((address) => ({ address, slot: entry.slot }));
  await transaction.insertInto("svm_account_entries").values(rows).execute();
  return newest;
}

const balanceSchema = z.object({ amount: uintStringSchema, currency: z.string(), owner: z.string() });

/** Repeats an entry on a state. */
export async function applyEntry(
  row: SvmEntryRow,
  machine: SvmMachine,
  packages: SvmPackages,
): Promise<void> {
  if (row.kind === "transaction") {
    machine.execute(decodeSvmTransaction(Buffer.from(row.data, "base64"), packages), row);
  } else if (row.kind === "balance") {
    const { amount, ...holder } = balanceSchema.parse(JSON.parse(row.data));
    await machine.setBalance({ ...holder, amount: BigInt(amount) });
  }
}

function nextBlockhash(
  before: string,
  { at, data, slot }: Pick<SvmEntryRow, "at" | "data" | "slot">,
): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([before, slot, at, data]))
    .digest();
  return encodeBase58(bytesToHex(hash));
}
