import { numberToHex } from "viem";
import type { Sleep } from "../internal/sleep.ts";
import { expectChain, findSent, type Read, readBlock, waitUntilMined } from "./chainReads.ts";
import { callKey, type GuardedCall, type GuardItem } from "./GuardItem.ts";
import type { Holds } from "./guardClaims.ts";
import type { FoundItems, QuoteBook } from "./QuoteBook.ts";
import { Refused } from "./Refused.ts";
import { isOwnRefusal, isUnbegunBatch, readAccount, readCallFields, readChain } from "./readRequest.ts";
import type { WalletProvider } from "./WalletProvider.ts";

/** What a handler of a wallet request works with. */
export type Handling = {
  readonly book: QuoteBook;
  readonly provider: WalletProvider;
  readonly method: string;
  /** The app's parameters, copied. */
  readonly params: readonly unknown[];
  /** The guard's own reads. */
  readonly read: Read;
  readonly holds: Holds;
  readonly sleep: Sleep;
};

/** `eth_sendTransaction`: the next open item, as it was proven. */
export async function sendTransaction(handling: Handling): Promise<unknown> {
  const { params, read } = handling;
  const [given, ...others] = params;
  if (others.length > 0) throw new Refused("it has more than one parameter");
  const fields = readCallFields(given);
  const chainId = readChain(fields["chainId"] ?? (await read("eth_chainId")));
  const from = readAccount(fields["from"]);
  const key = callKey({ ...fields, chainId, from });
  return send(handling, { chainId, from, keys: [key] }, (call) => {
    const { data, gas, to, value } = call;
    const limit = gas === undefined ? {} : { gas: numberToHex(gas) };
    return [{ ...limit, chainId: numberToHex(chainId), data, from, to, value: numberToHex(value) }];
  });
}

/** `wallet_sendCalls`: a run of open items. Capabilities are not forwarded. */
export async function sendCalls(handling: Handling): Promise<unknown> {
  const [given, ...others] = handling.params;
  const {
    atomicRequired,
    calls,
    capabilities,
    chainId: chain,
    from: sender,
    id,
    version,
  } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (others.length > 0 || !Array.isArray(calls) || calls.length === 0)
    throw new Refused("it is no batch of calls");
  const ofCalls = Array.from(calls, (call) => (Object(call) as { capabilities?: unknown }).capabilities);
  for (const [name, capability] of [capabilities, ...ofCalls].flatMap((each) => Object.entries(each ?? {}))) {
    if ((capability as { optional?: unknown } | null)?.optional !== true)
      throw new Refused(`the guard does not know the capability ${JSON.stringify(name.slice(0, 40))}`);
  }
  const chainId = readChain(chain);
  const from = readAccount(sender);
  // `map` would skip holes.
  const keys = Array.from(calls, (call) => callKey({ ...readCallFields(call), chainId, from }));
  return send(handling, { chainId, from, keys }, (...proven) => [
    {
      ...(typeof id === "string" && { id }),
      atomicRequired: atomicRequired === true,
      calls: proven.map(({ data, to, value }) => ({ data, to, value: numberToHex(value) })),
      chainId: numberToHex(chainId),
      from,
      version: version === "1.0" ? version : "2.0.0",
    },
  ]);
}

type Forward = (call: GuardedCall, ...others: readonly GuardedCall[]) => readonly unknown[];
type Asked = { readonly chainId: number; readonly from: string; readonly keys: readonly string[] };

async function send(handling: Handling, asked: Asked, forward: Forward): Promise<unknown> {
  return handling.book.handle(asked.keys, (found) => sendFound(handling, { ...asked, found, forward }));
}

async function sendFound(
  { book, holds, method, provider, read, sleep }: Handling,
  { chainId, forward, found, from, keys }: Asked & { readonly forward: Forward; readonly found: FoundItems },
): Promise<unknown> {
  // The reads come first: what the wallet was not asked for stays open, whatever happens to them.
  await expectChain(read, chainId);
  const sent = await findEarlier(read, found);
  if (sent !== undefined) {
    book.settle(found, { sentHash: sent });
    return sent;
  }
  const { items, next, sentHash } = found.quote;
  const isSecondApproval = found.index === next && isApproval(items[next - 1]) && isApproval(items[next]);
  if (isSecondApproval && sentHash !== undefined) await waitUntilMined(read, { from, hash: sentHash, sleep });
  const fromBlock = await readBlock(read);
  // The wait, the reads and the proof take time, in which the person may switch.
  const taken = await book.take(found, {
    expectWallet: () => expectChain(read, chainId),
    fromBlock,
    holds,
  });
  const calls = taken.items.flatMap((item) => (item.kind === "call" ? [item.call] : []));
  const [call, ...others] = calls.filter((each) => each.chainId === chainId && isSameText(each.from, from));
  if (call === undefined || others.length + 1 !== keys.length) {
    taken.end("open");
    throw new Refused("an item of it is no call of this account and chain");
  }
  try {
    const answer = await provider.request({ method, params: forward(call, ...others) });
    taken.end({ sentHash: typeof answer === "string" ? answer : undefined });
    return answer;
  } catch (error) {
    taken.end(isOwnRefusal(error) || isUnbegunBatch(method, error) ? "open" : "unknown");
    throw error;
  }
}

/**
 * Searches the chain for an item that the wallet was asked for before. A second approval costs only gas, so that one which
 * the chain does not have may be asked for again.
 *
 * @throws Refused for a payment that was not found: it may still be pending.
 */
async function findEarlier(read: Read, { items, quote }: FoundItems): Promise<string | undefined> {
  const asked = items.map(({ key }) => quote.asked.get(key)).find((each) => each?.isPending === false);
  const [item, ...others] = items;
  if (asked === undefined) return undefined;
  if (item?.kind === "call" && others.length === 0) {
    const { fromBlock } = asked;
    const found = fromBlock === undefined ? undefined : await findSent(read, item.call, fromBlock);
    if (found !== undefined || isApproval(item)) return found;
  }
  throw new Refused("the wallet was asked for it, and whether it was sent is not known");
}

function isApproval(item: GuardItem | undefined): boolean {
  return item?.kind === "call" && !item.isPayment;
}

function isSameText(one: string, two: string): boolean {
  return one.toLowerCase() === two.toLowerCase();
}
