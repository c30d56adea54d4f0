import { type Address, decodeEventLog, type Hex, isAddressEqual, parseAbi, zeroAddress } from "viem";
import { lowerHex } from "../../../../src/internal/lowerHex.ts";
import type { Chain } from "../../../chains/Chain.ts";
import { hasCode, wasSuccessful } from "../../../chains/rpc.ts";
import type { Context } from "../../../context/Context.ts";
import { type FoundAddressPayment, hasAddresses, watchedAmong } from "../../addresses/watchedAddresses.ts";
import {
  type Block,
  type BlockTransaction,
  type Log,
  readLogs,
  type Topics,
} from "../../receipts/readBlocks.ts";
import { traceCalls } from "../../receipts/traceCalls.ts";

const transferAbi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** A transfer that counts if its recipient is a deposit address. */
type Transfer = Pick<FoundAddressPayment, "amount" | "currency" | "sender"> & {
  readonly to: string;
  /** Whether the transaction can have reverted in spite of it. */
  readonly isUnproven: boolean;
};

/**
 * Finds the payments to a chain's deposit addresses: native transfers of any depth, and transfers of listed tokens. A reindex
 * finds money that arrives otherwise, as by `SELFDESTRUCT` or a block's reward.
 */
export async function findAddressPayments(
  chain: Chain,
  blocks: readonly Block[],
  context: Pick<Context, "store" | "log">,
): Promise<readonly FoundAddressPayment[]> {
  const isIdle = blocks.every(({ transactions }) => transactions.length === 0);
  if (isIdle || !(await hasAddresses(chain, context.store))) return [];
  const tokens = chain.currencies.filter(({ address }) => address !== zeroAddress);
  const logs = await readLogs(
    chain.rpc,
    blocks,
    tokens.map(({ address }) => address),
  );
  const sent: (Transfer & { readonly block: Block; readonly txHash: Hex })[] = [];
  for (const block of blocks) {
    for (const transaction of block.transactions) {
      const { hash: txHash } = transaction;
      const transfers = [
        ...topLevel(transaction),
        ...(await internal(chain, transaction, context)),
        ...tokenTransfers(logs.get(txHash) ?? []),
      ];
      sent.push(...transfers.map((transfer) => ({ ...transfer, block, txHash })));
    }
  }
  const watched = await watchedAmong(chain, [...new Set(sent.map(({ to }) => to))], context.store);
  const paid = sent.filter(({ to }) => watched.has(to));
  const isPaid = await Promise.all(
    paid.map(
      async ({ isUnproven, txHash }) => !isUnproven || (await wasSuccessful(chain.rpc, txHash)) === true,
    ),
  );
  const numbers = new Map<string, number>();
  return paid
    .filter((_, index) => isPaid[index])
    .map(({ amount, block, currency, sender, to, txHash }) => {
      const terms = [chain.definition.id, txHash, sender, to, currency, amount].join(":");
      const number = numbers.get(terms) ?? 0;
      numbers.set(terms, number + 1);
      const id = `${terms}:${number}`;
      return { address: to, amount, blockNumber: Number(block.number), currency, id, sender, txHash };
    });
}

function topLevel({ from, to, value }: BlockTransaction): readonly Transfer[] {
  if (!to || value === 0n) return [];
  const payment = { amount: value, currency: zeroAddress, sender: lowerHex(from), to: lowerHex(to) };
  return [{ ...payment, isUnproven: true }];
}

/** Native transfers that contracts make. Only transactions that run a contract's code are traced. */
async function internal(
  chain: Chain,
  { hash, to }: BlockTransaction,
  { log }: Pick<Context, "log">,
): Promise<readonly Transfer[]> {
  if (to && (isSilent(chain, to) || !(await hasCode(chain, to)))) return [];
  const calls = await traceCalls(chain, hash);
  if (calls === undefined) {
    const message = `${chain.definition.name} cannot trace: payments to deposit addresses inside transaction ${hash} are not found`;
    log({ level: "error", message });
    return [];
  }
  return calls.flatMap((call, index) => {
    // The first call is the transaction itself, unless that creates a contract.
    if (call.value === 0n || (to && index === 0)) return [];
    const payment = {
      amount: call.value,
      currency: zeroAddress,
      sender: lowerHex(call.from),
      to: lowerHex(call.to),
    };
    return [{ ...payment, isUnproven: false }];
  });
}

function tokenTransfers(logs: readonly Log[]): readonly Transfer[] {
  return logs.flatMap(({ address, data, topics }) => {
    if (topics[0] !== transferTopic || topics.length !== 3) return [];
    const { args } = decodeEventLog({ abi: transferAbi, data, topics: topics as Topics });
    if (args.value === 0n) return [];
    const payment = {
      amount: args.value,
      currency: lowerHex(address),
      sender: lowerHex(args.from),
      to: lowerHex(args.to),
    };
    return [{ ...payment, isUnproven: false }];
  });
}

/** Contracts of the service and tokens, which send native currency to their callers alone. */
function isSilent({ contracts, currencies }: Chain, to: Address): boolean {
  const silent = [contracts.depository, contracts.permit2, ...currencies.map(({ address }) => address)];
  return silent.some((address) => isAddressEqual(address, to));
}
