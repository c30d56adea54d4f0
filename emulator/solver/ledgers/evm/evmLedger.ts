import { type Hex, TransactionReceiptNotFoundError } from "viem";
import type { Chain } from "../../../chains/Chain.ts";
import type { Context } from "../../../context/Context.ts";
import { spentBy } from "../../../router/planDelivery.ts";
import { prepareFill } from "../../../router/prepareFill.ts";
import type { TransactionRow } from "../../../store/tables.ts";
import { type EvmPayment, readChainStates, reserve, signNext } from "../../receipts/chainState.ts";
import { measureDelivered } from "../../receipts/measureDelivered.ts";
import { minedColumns, readOutcome, send } from "../../receipts/readOutcome.ts";
import { isOutdated } from "../../receipts/searchedBlocks.ts";
import type { PaymentSigner, Settled, SolverLedger } from "../../SolverLedger.ts";
import { prepareRefund } from "./prepareRefund.ts";
import { scanChain } from "./scanChain.ts";

export function evmLedger(chain: Chain, context: Context): SolverLedger<EvmPayment> {
  const { accounts } = context;
  const { address } = accounts.solver.account;
  return {
    definition: chain.definition,
    isStanding: (row) => isStanding(chain, row),
    onChange: (listener) => chain.onBlock(listener),
    openSigner: (payments) => openSigner(chain, payments, context),
    prepareFill: async (intent, delivery) => {
      const prepared = await prepareFill(intent, delivery, chain, context);
      if (!("call" in prepared)) return prepared;
      return { ...prepared, spends: { amount: spentBy(delivery), currency: intent.fill.currency } };
    },
    prepareRefund: (refund) => prepareRefund(refund, chain, context),
    readOutcome: (row) => readSettled(chain, row, context),
    search: () => scanChain(chain, context),
    send: async (row) => {
      // The chain mined the cancelled payment first.
      const isLate =
        row.kind === "cancel" && (await chain.client.getTransactionCount({ address })) > row.nonce;
      return isLate || send(chain, row, context);
    },
    tip: () => chain.head().hash,
  };
}

async function openSigner(
  chain: Chain,
  payments: readonly EvmPayment[],
  context: Context,
): Promise<PaymentSigner<EvmPayment>> {
  const states = await readChainStates(
    payments.map(({ spends }) => ({ chain, spends })),
    context,
  );
  const state = states.get(chain.definition.id);
  if (state === undefined) throw new Error("there is no payment to sign");
  return {
    reserve: (payment) => reserve(payment, state),
    sign: async (transaction, payment) => ({
      ...(await signNext(transaction, payment, state, context.accounts)),
      tx_data: payment.call.data,
    }),
  };
}

async function readSettled(
  chain: Chain,
  row: TransactionRow,
  { chains }: Context,
): Promise<Settled | undefined> {
  const outcome = await readOutcome(chain, row);
  if (outcome === undefined) return undefined;
  const { failure, receipt } = outcome;
  return {
    columns: minedColumns(outcome),
    failure: failure && { call: failure.call, details: failure.revert.message },
    isOutdated: (transaction) => isOutdated(transaction, chain, receipt),
    measureDelivered: (transaction, deposit) => measureDelivered(transaction, row, deposit, receipt, chains),
    row,
  };
}

/** Whether the recorded block still holds a transaction, with the recorded outcome. */
async function isStanding(
  { client }: Chain,
  { block_hash, hash, state }: Pick<TransactionRow, "block_hash" | "hash" | "state">,
): Promise<boolean> {
  const receipt = await client.getTransactionReceipt({ hash: hash as Hex }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  });
  if (receipt?.blockHash !== block_hash) return false;
  return state !== "reverted" || receipt.status !== "success";
}
