import { type Address, type Hex, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { swappedInto } from "../receipts/measureDelivered.ts";
import type { Block, BlockTransaction } from "../receipts/readBlocks.ts";
import { readLogs } from "../receipts/readLogs.ts";
import { readReceipt } from "../receipts/readReceipt.ts";
import { decodePayments, type FindContext, type PaidTo } from "./decodePayments.ts";

/** Money that reached the service, with the bytes that say what for. */
export type FoundDeposit = {
  /**
   * Chain, transaction, and which of the transaction's payments: the same money always has the same id, in whichever block
   * the transaction ends up.
   */
  readonly id: string;
  readonly chainId: number;
  readonly txHash: Hex;
  /** As it was mined: whoever sent it need not be the depositor. */
  readonly transaction: Pick<BlockTransaction, "from" | "input" | "to" | "value">;
  /** What the transaction cost its sender, in wei. */
  readonly fee: bigint;
  readonly block: Pick<Block, "number" | "hash" | "timestamp">;
  readonly paidTo: PaidTo;
  /** An orderId where the depository was paid, a requestId where the solver was. */
  readonly tag: Hex;
  readonly currency: Address;
  readonly amount: bigint;
  /** What the transaction swapped into the amount, in smallest units; `undefined` where it swapped nothing. */
  readonly paid: bigint | undefined;
  /** Everybody who may be called the depositor: the one named, the one who called, the one who signed. */
  readonly depositors: readonly Address[];
};

/**
 * Finds the deposits in some blocks: events of the depository, events of the receiver, token transfers to the solver or
 * the depository with a tag behind their arguments, and native currency to the solver with a tag as calldata. The emitting
 * address is what makes an event count.
 *
 * @throws ChainMovedError when the blocks are not the chain's any more.
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
  for (const block of blocks) {
    for (const transaction of block.transactions) {
      const payments = await decodePayments(chain, transaction, logs.get(transaction.hash) ?? [], context);
      for (const [index, payment] of payments.entries()) {
        found.push({
          amount: payment.amount,
          block,
          chainId: definition.id,
          currency: lower(payment.currency),
          depositors: payment.depositors.map(lower),
          id: `${definition.id}:${transaction.hash}:${index}`,
          paidTo: payment.paidTo,
          tag: lower(payment.tag),
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

function lower<Value extends Hex>(value: Value): Value {
  return value.toLowerCase() as Value;
}
