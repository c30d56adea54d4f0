import { zeroAddress } from "viem";
import { lowerHex } from "../../../../src/internal/lowerHex.ts";
import type { Chain } from "../../../chains/Chain.ts";
import type { FoundDeposit } from "../../deposits/FoundDeposit.ts";
import { decodePayments, type FindContext } from "../../receipts/decodePayments.ts";
import { swappedInto } from "../../receipts/measureDelivered.ts";
import { type Block, readLogs, readReceipt } from "../../receipts/readBlocks.ts";

/**
 * Finds the deposits in some blocks: events of the depository and the receiver, token transfers to the solver or the
 * depository with a tag after their arguments, and native transfers to the solver with a tag as calldata. An event
 * counts only from the expected emitter.
 */
export async function findDeposits(
  chain: Chain,
  blocks: readonly Block[],
  context: FindContext,
): Promise<readonly FoundDeposit[]> {
  const { contracts, currencies, definition } = chain;
  const tokens = currencies.filter(({ address }) => address !== zeroAddress).map(({ address }) => address);
  const logs = await readLogs(chain.rpc, blocks, [contracts.depository, contracts.relayReceiver, ...tokens]);
  const found: Omit<FoundDeposit, "fee" | "paid">[] = [];
  const numbers = new Map<string, number>();
  for (const block of blocks) {
    for (const transaction of block.transactions) {
      const payments = await decodePayments(chain, transaction, logs.get(transaction.hash) ?? [], context);
      for (const payment of payments) {
        const [currency, tag] = [lowerHex(payment.currency), lowerHex(payment.tag)];
        const terms = [definition.id, transaction.hash, tag, currency].join(":");
        const number = numbers.get(terms) ?? 0;
        numbers.set(terms, number + 1);
        found.push({
          amount: payment.amount,
          block,
          chainId: definition.id,
          currency,
          depositors: payment.depositors.map(lowerHex),
          id: `${terms}:${number}`,
          paidTo: payment.paidTo,
          tag,
          transaction,
          txHash: transaction.hash,
        });
      }
    }
  }
  return Promise.all(
    found.map(async (deposit) => {
      const receipt = await readReceipt(chain.rpc, deposit.txHash);
      return { ...deposit, fee: receipt.fee, paid: swappedInto(deposit, chain, receipt.logs) };
    }),
  );
}
