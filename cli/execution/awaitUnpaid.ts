import { setTimeout } from "node:timers/promises";
import { type Address, type Hex, isAddressEqual, type PublicClient } from "viem";
import { type CallData, isSameCall } from "../../src/execute/findTransaction.ts";
import { checkFailed } from "../terminal/CommandError.ts";

/** Blocks that a service may need to see a payment. Nodes without an archive have the state of so many. */
const blocksToSearch = 100;
const pollingInterval = 1_000;

export type AwaitUnpaidParameters = {
  readonly account: Address;
  readonly call: CallData;
  readonly node: PublicClient;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
};

/**
 * Waits until no transaction of the account is in flight, and searches the last blocks for the same payment: a run in another
 * folder or on another machine may have sent it, and the service may not have seen it yet.
 *
 * @returns The only nonce under which the payment may be signed. Of two runs at once, one nonce lets one payment be mined.
 * @throws CommandError for a payment that was found, and for an account that stays busy; the reason of `signal`.
 */
export async function awaitUnpaid(parameters: AwaitUnpaidParameters): Promise<number> {
  const { account, node, signal, timeout } = parameters;
  const end = performance.now() + timeout;
  for (;;) {
    signal.throwIfAborted();
    const [next, mined] = await Promise.all([
      node.getTransactionCount({ address: account, blockTag: "pending" }),
      node.getTransactionCount({ address: account, blockTag: "latest" }),
    ]);
    if (next === mined) {
      await assertNotMined(parameters);
      return next;
    }
    if (performance.now() >= end) {
      const sentence = `${account} has transactions in flight from nonce ${mined} on, which may be the same payment: wait or replace them first.`;
      throw checkFailed(sentence, "ACCOUNT_BUSY");
    }
    await setTimeout(pollingInterval, undefined, { signal });
  }
}

async function assertNotMined({ account, call, node }: AwaitUnpaidParameters): Promise<void> {
  const head = Number(await node.getBlockNumber({ cacheTime: 0 }));
  const from = Math.max(0, head - blocksToSearch);
  const found = await search({ account, call, node }, from, head);
  if (found === undefined) return;
  throw checkFailed(`Transaction ${found} pays the same already: nothing is paid again.`, "ALREADY_PAID");
}

type Search = Pick<AwaitUnpaidParameters, "account" | "call" | "node">;

/** Halves the blocks after `from` up to `to`, and leaves out those in which the account's nonce stays the same. */
async function search(parameters: Search, from: number, to: number): Promise<Hex | undefined> {
  const { account, call, node } = parameters;
  if (from >= to) return undefined;
  const [before, after] = await Promise.all([nonceAt(parameters, from), nonceAt(parameters, to)]);
  if (before !== undefined && before === after) return undefined;
  if (to - from > 1) {
    const middle = from + Math.floor((to - from) / 2);
    return (await search(parameters, middle, to)) ?? (await search(parameters, from, middle));
  }
  const block = await node.getBlock({ blockNumber: BigInt(to), includeTransactions: true });
  return block.transactions.find((each) => isAddressEqual(each.from, account) && isSameCall(each, call))
    ?.hash;
}

/** `undefined` from a node without the state of the block: its transactions are read then. */
const nonceAt = ({ account, node }: Search, block: number): Promise<number | undefined> =>
  node.getTransactionCount({ address: account, blockNumber: BigInt(block) }).catch(() => undefined);
