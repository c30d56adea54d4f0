import type { Transaction } from "kysely";
import type { Note } from "../solver/work/Plan.ts";
import type { Tables, TransactionRow } from "../store/tables.ts";
import { endAs } from "./endAs.ts";

/** What is noted of a payment beside another one for the same deposit: what it brought, in smallest units. */
export type Standing = Note & { readonly delivered?: string | undefined };

/** Ends a request with the one of two payments that is still there, in the caller's transaction. */
export async function standAlone(
  transaction: Transaction<Tables>,
  { hash, kind, note, request_id }: TransactionRow,
  at: number,
): Promise<void> {
  const { delivered, ...told } = JSON.parse(note ?? "{}") as Standing;
  const change = { ...told, txHash: hash, ...(delivered !== undefined && { delivered: BigInt(delivered) }) };
  await endAs(transaction, request_id, kind === "fill" ? "success" : "refund", change, at);
}
