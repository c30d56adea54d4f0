import { type Hex, hexToBigInt, numberToHex } from "viem";
import type { Sleep } from "../internal/sleep.ts";
import { type CallIdentity, callKey } from "./GuardItem.ts";
import { Refused } from "./Refused.ts";
import type { WalletProvider } from "./WalletProvider.ts";

/** Blocks that are searched for an earlier transaction. */
const blocksToSearch = 1_000n;
/** Reads until a wait for a receipt ends: ten minutes by default. */
const mostReads = 600;

/**
 * Expects the wallet on a chain.
 *
 * @throws Refused
 */
export async function expectChain(provider: WalletProvider, chainId: number): Promise<void> {
  const actual = await provider.request({ method: "eth_chainId" }).catch(() => undefined);
  if (Number(actual) !== chainId) throw new Refused(`the wallet is not on chain ${chainId}`);
}

/** Reads the latest block's number; undefined if that fails. */
export async function readBlock(provider: WalletProvider): Promise<bigint | undefined> {
  const block = await provider.request({ method: "eth_blockNumber" }).catch(() => undefined);
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
  provider: WalletProvider,
  { from, hash, sleep }: { readonly from: string; readonly hash: string; readonly sleep: Sleep },
): Promise<void> {
  const read = async (method: string, ...params: readonly unknown[]) =>
    (await provider.request({ method, params }).catch(() => null)) as Readonly<Record<string, string>> | null;
  for (let reads = 0; reads < mostReads; reads++) {
    const receipt = await read("eth_getTransactionReceipt", hash);
    if (receipt?.["status"] === "0x0") throw new Refused("the transaction before it reverted");
    if (receipt !== null) return;
    const sent = await read("eth_getTransactionByHash", hash);
    const mined = await read("eth_getTransactionCount", from, "latest");
    // Another transaction took its nonce.
    if (sent !== null && mined !== null && Number(mined) > Number(sent["nonce"])) return;
    await sleep(1_000);
  }
  throw new Refused("the transaction before it is not mined");
}

/** Finds the hash of an account's call in the blocks after `fromBlock`. */
export async function findSent(
  provider: WalletProvider,
  call: CallIdentity,
  fromBlock: bigint,
): Promise<string | undefined> {
  const head = (await readBlock(provider)) ?? fromBlock;
  const last = head < fromBlock + blocksToSearch ? head : fromBlock + blocksToSearch;
  for (let number = fromBlock + 1n; number <= last; number++) {
    const params = [numberToHex(number), true];
    const block = (await provider.request({ method: "eth_getBlockByNumber", params })) as {
      readonly transactions?: readonly Readonly<Record<string, string>>[];
    } | null;
    const found = block?.transactions?.find(
      ({ from = "", input: data, to, value = "0x0" }) =>
        callKey({ chainId: call.chainId, data: data as Hex, from, to: to as Hex, value: BigInt(value) }) ===
        callKey(call),
    );
    if (found !== undefined) return found["hash"];
  }
  return undefined;
}
