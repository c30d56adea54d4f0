import type { Transaction } from "kysely";
import { keccak256 } from "viem";
import type { Context } from "../Context.ts";
import type { Chain } from "../chains/Chain.ts";
import type { DepositRow, Tables, TransactionRow } from "../store/tables.ts";
import type { Prepared } from "./prepareFill.ts";

/**
 * Signs a transaction of the solver and stores it, before anything is sent: a crash at any later point finds the same
 * bytes again and can only send those.
 *
 * @param alongside What else changes in the same database transaction.
 */
export async function signAndStore(
  prepared: Extract<Prepared, { call: unknown }>,
  particulars: { chain: Chain; deposit: DepositRow; requestId: string; kind: TransactionRow["kind"] },
  context: Context,
  alongside: (transaction: Transaction<Tables>, hash: string, at: number) => Promise<void>,
): Promise<TransactionRow> {
  const { chain, deposit, kind, requestId } = particulars;
  const { account } = context.accounts.solver;
  const nonce = await nextNonce(chain, context);
  const fees = await chain.client.estimateFeesPerGas();
  const raw = await account.signTransaction({
    ...prepared.call,
    chainId: chain.definition.id,
    gas: prepared.gas,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    nonce,
    type: "eip1559",
  });
  const hash = keccak256(raw);
  const at = context.now();
  return context.store.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto("transactions")
      .values({
        at,
        chain_id: chain.definition.id,
        deposit_id: deposit.id,
        hash,
        kind,
        nonce,
        raw,
        request_id: requestId,
        state: "signed",
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await alongside(transaction, hash, at);
    return row;
  });
}

/** The next nonce that neither the chain nor a stored transaction has used. */
async function nextNonce(chain: Chain, { accounts, store }: Context): Promise<number> {
  const onChain = await chain.client.getTransactionCount({
    address: accounts.solver.account.address,
    blockTag: "pending",
  });
  const stored = await store
    .selectFrom("transactions")
    .select((row) => row.fn.max("nonce").as("nonce"))
    .where("chain_id", "=", chain.definition.id)
    .executeTakeFirst();
  return Math.max(onChain, Number(stored?.nonce ?? -1) + 1);
}
