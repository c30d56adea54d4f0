import type { StoreTransaction } from "../../store/tables.ts";
import { createSvmMachine, type SvmBalance, type SvmMachine } from "./createSvmMachine.ts";
import { type DecodedTransaction, decodeSvmTransaction } from "./decodeSvmTransaction.ts";
import type { SvmPackages } from "./loadSvm.ts";
import { type SvmRefusal, SvmTransactionRefusedError } from "./SvmOutcome.ts";
import {
  appendBalances,
  appendTransaction,
  applyEntry,
  type SvmHead,
  type SvmSources,
  startSvmLog,
} from "./svmLog.ts";

/** Slots for which a block hash is valid, as on a public cluster. */
export const blockhashSlots = 150;

/** An SVM chain whose log is in the store: it outlives the process, and processes that share a database share it. */
export type SvmLedger = {
  /** Executes a transaction and stores it, or does neither. */
  send(wire: Uint8Array, options?: { readonly skipPreflight?: boolean | undefined }): Promise<string>;
  /**
   * Executes a transaction, or stores that it is void: a void one can never be executed. A failing one pays its fee.
   * Idempotent.
   */
  settle(wire: Uint8Array): Promise<void>;
  /** Subscribes to entries of this process. Returns the function that unsubscribes. */
  onEntry(listener: () => void): () => void;
  /** Sets balances, each in a slot of its own. A function computes them from the state that they change. */
  setBalances(balances: NewBalances): Promise<void>;
  /** Reads the present state, with the head that it belongs to. */
  read<Result>(reader: (machine: SvmMachine, head: SvmHead) => Result | Promise<Result>): Promise<Result>;
  head(): Promise<SvmHead>;
  /** Identifies the newest entry that this process has seen. */
  tip(): string;
};

type NewBalances = readonly SvmBalance[] | ((machine: Pick<SvmMachine, "tokensIn">) => readonly SvmBalance[]);

/** Opens the SVM chain of a store. The first use starts it. */
export function openSvmLedger(
  packages: SvmPackages,
  sources: SvmSources,
  genesis: readonly SvmBalance[],
): SvmLedger {
  const { now, store } = sources;
  /** The state in memory, and the newest entry that led to it. */
  let present: { readonly machine: SvmMachine; head: SvmHead | undefined } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const listeners = new Set<() => void>();
  const announce = () => {
    for (const listener of listeners) listener();
  };

  /** Runs work on the state that the stored log leads to, one after the other. */
  const inTurn = <Result>(
    work: (machine: SvmMachine, head: SvmHead, transaction: StoreTransaction) => Promise<Result>,
    isReading: boolean,
  ): Promise<Result> => {
    const turn = last.then(async () => {
      try {
        await startSvmLog(sources, genesis);
        const opened = store.transaction().setAccessMode(isReading ? "read only" : "read write");
        return await opened.execute(async (transaction) => {
          const state = await catchUp(transaction);
          if (state.head === undefined) throw new Error("the SVM chain has no genesis");
          return work(state.machine, state.head, transaction);
        });
      } catch (error) {
        // Executed and perhaps not stored: the next turn builds the state anew, from what is stored.
        if (!isReading && !(error instanceof SvmTransactionRefusedError)) present = undefined;
        throw error;
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  };

  /** Applies the entries of other processes. A restored snapshot may have replaced the log. */
  const catchUp = async (transaction: StoreTransaction) => {
    const from = present?.head?.slot ?? -1;
    const rows = await transaction
      .selectFrom("svm_entries")
      .selectAll()
      .where("slot", ">=", from)
      .orderBy("slot")
      .execute();
    const isContinued = present !== undefined && rows[0]?.blockhash === present.head?.blockhash;
    if (!isContinued && from >= 0) {
      present = undefined;
      return catchUp(transaction);
    }
    present ??= { head: undefined, machine: await createSvmMachine(packages) };
    for (const row of rows) {
      if (row.slot === present.head?.slot) continue;
      await applyEntry(row, present.machine, packages);
      present.head = row;
    }
    return present;
  };

  const execute = async (
    transaction: StoreTransaction,
    { decoded, head, machine, wire }: Execution,
  ): Promise<void> => {
    const at = now();
    const outcome = machine.execute(decoded, { at, slot: head.slot + 1 });
    const newest = await appendTransaction(transaction, head, "transaction", { at, decoded, outcome, wire });
    if (present !== undefined) present.head = newest;
  };

  return {
    head: () => inTurn(async (_, { at, blockhash, slot }) => ({ at, blockhash, slot }), true),
    read: (reader) => inTurn(async (machine, head) => reader(machine, head), true),
    onEntry: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: async (wire, { skipPreflight = false } = {}) => {
      const decoded = decodeSvmTransaction(wire, packages);
      await inTurn(async (machine, head, transaction) => {
        const refusal = await refusalOf(transaction, decoded, head, machine);
        if (refusal !== undefined && !(skipPreflight && isPaidFailure(refusal.error))) {
          throw new SvmTransactionRefusedError(refusal);
        }
        await execute(transaction, { decoded, head, machine, wire });
      }, false);
      announce();
      return decoded.signature;
    },
    settle: async (wire) => {
      const decoded = decodeSvmTransaction(wire, packages);
      await inTurn(async (machine, head, transaction) => {
        const refusal = await refusalOf(transaction, decoded, head, machine);
        if (refusal?.error === alreadyProcessed) return;
        if (refusal === undefined || isPaidFailure(refusal.error)) {
          await execute(transaction, { decoded, head, machine, wire });
          return;
        }
        const { error, logs } = refusal;
        const outcome = { accounts: [], error, fee: 0n, logs: [...logs], tokens: [], units: 0n };
        await appendTransaction(transaction, head, "void", { at: now(), decoded, outcome, wire });
      }, false);
      announce();
    },
    tip: () => present?.head?.blockhash ?? "",
    setBalances: async (given) => {
      await inTurn(async (machine, head, transaction) => {
        const balances = typeof given === "function" ? given(machine) : given;
        // What does not apply here would not apply in any later start.
        for (const balance of balances) await machine.setBalance(balance);
        const newest = await appendBalances(transaction, head, balances, now);
        if (present !== undefined) present.head = newest;
      }, false);
      announce();
    },
  };
}

type Execution = {
  readonly decoded: DecodedTransaction;
  readonly head: SvmHead;
  readonly machine: SvmMachine;
  readonly wire: Uint8Array;
};

/** Failed instructions pay the fee. Other errors keep a transaction out of the chain. */
function isPaidFailure(error: string): boolean {
  return error.startsWith("InstructionError");
}

const alreadyProcessed = "AlreadyProcessed";

/** Why the chain does not execute a transaction now; `undefined` if it does. */
async function refusalOf(
  transaction: StoreTransaction,
  decoded: DecodedTransaction,
  head: SvmHead,
  machine: SvmMachine,
): Promise<SvmRefusal | undefined> {
  const refusal = (error: string) => ({ error, logs: [], units: 0n });
  const known = await transaction
    .selectFrom("svm_entries")
    .select("slot")
    .where("message_hash", "=", decoded.messageHash)
    .executeTakeFirst();
  if (known !== undefined) return refusal(alreadyProcessed);
  const recent = await transaction
    .selectFrom("svm_entries")
    .select("slot")
    .where("blockhash", "=", decoded.blockhash)
    .where("slot", ">", head.slot - blockhashSlots)
    .executeTakeFirst();
  if (recent === undefined) return refusal("BlockhashNotFound");
  const { error, logs, units } = machine.simulate(decoded);
  return error === null ? undefined : { error, logs, units };
}
