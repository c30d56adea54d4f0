import {
  type Address,
  formatTransaction,
  type Hex,
  hexToBigInt,
  numberToHex,
  type RpcTransaction,
  type Transaction,
} from "viem";
import { isSigned } from "../execute/findTransaction.ts";
import type { Sleep } from "../internal/sleep.ts";
import { type CallIdentity, callKey } from "./GuardItem.ts";
import { Refused } from "./Refused.ts";
import type { WalletProvider } from "./WalletProvider.ts";
import { within } from "./within.ts";

/** Blocks that are searched for an earlier transaction. */
const blocksToSearch = 1_000n;
/** Signatures that a search recovers: a node can show any number of transactions that the account did not sign. */
const mostRecoveries = 16;
/** Reads until a wait for a receipt ends: ten minutes by default. */
const mostReads = 600;
/** Milliseconds for one read. */
const longestRead = 10_000;

/** Reads through the wallet's provider. Throws {@link Refused} when it fails or takes too long. */
export type Read = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** Returns the guard's own reads of a wallet's provider. */
export function startReads(provider: WalletProvider, sleep: Sleep): Read {
  return async (method, ...params) => {
    try {
      const request = params.length === 0 ? { method } : { method, params };
      return structuredClone(await within(provider.request(request), longestRead, sleep));
    } catch {
      throw new Refused(`the wallet's node does not answer ${method}`);
    }
  };
}

/**
 * Expects the wallet on a chain.
 *
 * @throws Refused
 */
export async function expectChain(read: Read, chainId: number): Promise<void> {
  const actual = await read("eth_chainId").catch(() => undefined);
  if (Number(actual) !== chainId) throw new Refused(`the wallet is not on chain ${chainId}`);
}

/** Reads the latest block's number; undefined if that fails. */
export async function readBlock(read: Read): Promise<bigint | undefined> {
  const block = await read("eth_blockNumber").catch(() => undefined);
  return typeof block === "string" && /^0x[0-9a-f]{1,16}$/i.test(block)
    ? hexToBigInt(block as Hex)
    : undefined;
}

/**
 * Waits until a transaction is mined, or replaced by another of the account.
 *
 * @throws Refused after ten minutes, or when it reverted.
 */
export async function waitUntilMined(
  read: Read,
  { from, hash, sleep }: { readonly from: string; readonly hash: string; readonly sleep: Sleep },
): Promise<void> {
  const readObject = async (method: string, ...params: readonly unknown[]) =>
    (await read(method, ...params).catch(() => null)) as Readonly<Record<string, string>> | null;
  for (let reads = 0; reads < mostReads; reads++) {
    const receipt = await readObject("eth_getTransactionReceipt", hash);
    if (receipt?.["status"] === "0x0") throw new Refused("the transaction before it reverted");
    if (receipt !== null) return;
    const sent = await readObject("eth_getTransactionByHash", hash);
    const mined = await readObject("eth_getTransactionCount", from, "latest");
    // Another transaction took its nonce.
    if (sent !== null && mined !== null && Number(mined) > Number(sent["nonce"])) return;
    await sleep(1_000);
  }
  throw new Refused("the transaction before it is not mined");
}

/**
 * Finds the hash of an account's call in the blocks after `fromBlock`.
 *
 * @throws Refused
 */
export async function findSent(
  read: Read,
  call: CallIdentity,
  fromBlock: bigint,
): Promise<string | undefined> {
  let recoveries = 0;
  const head = (await readBlock(read)) ?? fromBlock;
  const last = head < fromBlock + blocksToSearch ? head : fromBlock + blocksToSearch;
  for (let number = fromBlock + 1n; number <= last; number++) {
    const block = await read("eth_getBlockByNumber", numberToHex(number), true);
    const { transactions } = Object(block) as { readonly transactions?: unknown };
    for (const each of Array.isArray(transactions) ? transactions : []) {
      const transaction = readCall(each as RpcTransaction, call);
      if (transaction === undefined || recoveries++ >= mostRecoveries) continue;
      const run = { originChainId: call.chainId, wallet: { account: { address: call.from as Address } } };
      // A node could make one up.
      if (await isSigned(run, transaction)) return transaction.hash;
    }
  }
  return undefined;
}

/** Reads a transaction of the call; undefined if it is another one. */
function readCall(given: RpcTransaction, call: CallIdentity): Transaction | undefined {
  try {
    const transaction = formatTransaction(given);
    const { hash, input: data, to, value } = transaction;
    const isCall = to !== null && callKey({ ...call, data, to, value }) === callKey(call);
    return isCall && /^0x[0-9a-f]{64}$/i.test(hash) ? transaction : undefined;
  } catch {
    return undefined;
  }
}
