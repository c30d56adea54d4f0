import { type Hex, parseTransaction } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { isTransportError } from "../../chains/evm/httpRpc.ts";
import type { Context } from "../../context/Context.ts";
import { applyTrigger, readStatus } from "../../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import type { RelayedDepositRow } from "../../store/tables.ts";
import { isDueAt } from "../postponed.ts";
import { movedOnSameChain } from "../receipts/measureDelivered.ts";
import {
  minedColumns,
  type Outcome,
  readOutcome,
  type StoredTransaction,
  send,
} from "../receipts/readOutcome.ts";
import { isOutdated } from "../receipts/searchedBlocks.ts";
import { moveRelayed, postponeRelayed } from "../relayedRows.ts";
import { recordSameChainTransaction, type SameChainTransaction } from "../sameChain/sameChainTransactions.ts";
import type { MinedRelay, RelayedDeposit } from "./RelayedKind.ts";
import { relayedKinds } from "./relayedKinds.ts";

type Sent = StoredTransaction & Pick<RelayedDepositRow, "chain_id" | "payload" | "kind">;

/**
 * Sends the relayed deposits that are not mined yet, in the order of their nonces, and records the outcome of mined
 * ones. Idempotent: the bytes are the same each time. A deposit that fails to settle delays no other, and is retried
 * later and later.
 */
export async function settleRelayed(chain: Chain, context: Context): Promise<void> {
  const rows = await context.store
    .selectFrom("relayed_deposits")
    .selectAll()
    .where("state", "=", "signed")
    .where("chain_id", "=", chain.definition.id)
    .where(isDueAt(context.workTime()))
    .orderBy("nonce")
    .execute();
  for (const row of rows) {
    try {
      await settleOne(row, chain, context);
    } catch (cause) {
      if (isTransportError(cause)) throw cause;
      const message = "settling a relayed deposit failed";
      context.log({ cause, level: "error", message, requestId: row.request_id });
      await postponeRelayed(row, context.store, context);
    }
  }
}

async function settleOne(
  { hash, raw, ...rest }: RelayedDepositRow,
  chain: Chain,
  context: Context,
): Promise<void> {
  if (hash === null || raw === null) throw new Error(`the deposit of ${rest.request_id} has no transaction`);
  const row: Sent = { ...rest, hash, raw };
  const known = await readOutcome(chain, row);
  if (known === undefined) await send(chain, { ...row, kind: `deposit by ${row.kind}` }, context);
  const outcome = known ?? (await readOutcome(chain, row));
  if (outcome === undefined) return;
  const deposit = await loadRelayedDeposit(row, context);
  const { intent } = deposit;
  const { failure } = outcome;
  const kind = relayedKinds[row.kind];
  const change =
    failure === undefined
      ? await kind.confirm?.(deposit, chain, readMinedRelay(outcome), context)
      : await kind.explainRevert(deposit, chain, failure.revert, context);
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    if (await isOutdated(transaction, chain, outcome.receipt)) return;
    // Another process may have recorded it first.
    const { state, ...columns } = minedColumns(outcome);
    if (!(await moveRelayed(transaction, row.request_id, state, columns))) return;
    if (change === undefined) {
      // The search of the chain finds deposits at the depository.
      if (intent.deposit.via === "self") {
        await recordSameChainTransaction(
          transaction,
          row.chain_id,
          buildSameChainTransaction(intent, chain, outcome),
          context,
        );
      }
      return;
    }
    // Another payment may have reached the request meanwhile.
    if ((await readStatus(transaction, row.request_id)) !== "depositing") return;
    const failed = {
      ...change,
      ...(failure && { failedCall: failure.call }),
      failedTx: { blockNumber: Number(outcome.receipt.blockNumber), hash: row.hash },
      txHash: row.hash,
    };
    await applyTrigger(transaction, row.request_id, { ...failed, trigger: "deposit-failed" }, at);
  });
}

async function loadRelayedDeposit(
  { payload, request_id }: Sent,
  { store }: Context,
): Promise<RelayedDeposit> {
  const { intent } = await store
    .selectFrom("requests")
    .select("intent")
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  return { intent: parseIntent(intent), payload };
}

/** The mined transaction, as blocks hold it. */
function readMinedRelay({ receipt, row }: Outcome<Sent>): MinedRelay {
  const { data = "0x", to, value = 0n } = parseTransaction(row.raw as Hex);
  return {
    logs: receipt.logs.map((log) => ({ ...log, logIndex: BigInt(log.logIndex) })),
    transaction: { from: receipt.from, hash: receipt.transactionHash, input: data, to: to ?? null, value },
  };
}

/** Builds the same-chain transaction of a request: deposit and fill in one. */
function buildSameChainTransaction(
  intent: Intent,
  chain: Chain,
  outcome: Outcome<Sent>,
): SameChainTransaction {
  const { blockAt, receipt } = outcome;
  return {
    block: {
      hash: receipt.blockHash,
      number: receipt.blockNumber,
      timestamp: BigInt(Math.floor(blockAt / 1_000)),
    },
    ...movedOnSameChain(intent, chain, receipt.logs),
    fee: receipt.gasUsed * receipt.effectiveGasPrice,
    isSuccessful: true,
    requestId: intent.requestId,
    transaction: readMinedRelay(outcome).transaction,
  };
}
