import type { Transaction } from "kysely";
import type { Context } from "../Context.ts";
import type { Chain } from "../chains/Chain.ts";
import { applyTrigger } from "../lifecycle/applyTrigger.ts";
import { parseIntent } from "../store/Intent.ts";
import type { Tables } from "../store/tables.ts";
import { type FoundDeposit, findDeposits } from "./findDeposits.ts";
import { judgeDeposit } from "./judgeDeposit.ts";

/** So many blocks are searched at once: bounds what one answer of the node can hold. */
const blocksAtOnce = 500n;

/**
 * Searches the blocks that have come since the last search, and records what was found together with how far it got: a
 * crash in between makes the next search find the same again, never skip or repeat.
 */
export async function scanChain(chain: Chain, context: Context): Promise<void> {
  const { id } = chain.definition;
  const latest = await chain.client.getBlockNumber();
  const cursor = await context.store
    .selectFrom("cursors")
    .select("next_block")
    .where("chain_id", "=", id)
    .executeTakeFirst();
  let fromBlock = BigInt(cursor?.next_block ?? 0);
  while (fromBlock <= latest) {
    const toBlock = fromBlock + blocksAtOnce > latest ? latest : fromBlock + blocksAtOnce;
    const found = await findDeposits(chain, context.accounts.solver.account.address, { fromBlock, toBlock });
    const next_block = Number(toBlock) + 1;
    await context.store.transaction().execute(async (transaction) => {
      for (const deposit of found) await recordDeposit(transaction, deposit, context);
      await transaction
        .insertInto("cursors")
        .values({ chain_id: id, next_block })
        .onConflict((conflict) => conflict.column("chain_id").doUpdateSet({ next_block }))
        .execute();
    });
    fromBlock = toBlock + 1n;
  }
}

async function recordDeposit(
  transaction: Transaction<Tables>,
  deposit: FoundDeposit,
  { log, now }: Context,
): Promise<void> {
  const known = await transaction
    .selectFrom("deposits")
    .select("id")
    .where("id", "=", deposit.id)
    .executeTakeFirst();
  if (known !== undefined) return;

  const request = await transaction
    .selectFrom("requests")
    .select(["id", "intent", "status"])
    .where((row) => row.or([row("id", "=", deposit.tag), row("order_id", "=", deposit.tag)]))
    .executeTakeFirst();
  const at = now();
  const [depositor = "0x"] = deposit.depositors;
  const row = {
    amount: deposit.amount.toString(),
    at,
    block_number: Number(deposit.blockNumber),
    chain_id: deposit.chainId,
    currency: deposit.currency,
    depositor,
    id: deposit.id,
    tag: deposit.tag,
    tx_hash: deposit.txHash,
  };
  if (request === undefined) {
    log({ level: "info", message: `a deposit names no request: ${deposit.tag}` });
    await transaction
      .insertInto("deposits")
      .values({ ...row, outcome: "unmatched", reason: null, request_id: null })
      .execute();
    return;
  }
  const isPaid = request.status !== "waiting" && request.status !== "depositing";
  const judgement = judgeDeposit(deposit, parseIntent(request.intent), isPaid);
  const reason = judgement.outcome === "refused" ? judgement.reason : null;
  await transaction
    .insertInto("deposits")
    .values({ ...row, outcome: judgement.outcome, reason, request_id: request.id })
    .execute();
  if (isPaid) {
    log({
      level: "info",
      message: "a request was paid twice; the second deposit goes back",
      requestId: request.id,
    });
    return;
  }
  await applyTrigger(
    transaction,
    request.id,
    {
      trigger: judgement.outcome === "accepted" ? "deposit-accepted" : "deposit-refused",
      txHash: deposit.txHash,
      ...(judgement.outcome === "refused" && { failReason: judgement.reason }),
    },
    at,
  );
}
