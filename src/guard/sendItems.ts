import { numberToHex } from "viem";
import type { Sleep } from "../internal/sleep.ts";
import { expectChain, findSent, readBlock, waitUntilMined } from "./chainReads.ts";
import { callKey, type GuardedCall, type GuardItem } from "./GuardItem.ts";
import type { QuoteBook, TakenItems } from "./QuoteBook.ts";
import { Refused } from "./Refused.ts";
import { isOwnRefusal, readAccount, readCallFields, readChain } from "./readRequest.ts";
import type { WalletProvider } from "./WalletProvider.ts";

/** What a handler of a wallet request works with. */
export type Handling = {
  readonly book: QuoteBook;
  readonly provider: WalletProvider;
  readonly method: string;
  /** The app's parameters, copied. */
  readonly params: readonly unknown[];
  readonly sleep: Sleep;
};

/** `eth_sendTransaction`: the next open item, as it was proven. */
export async function sendTransaction(handling: Handling): Promise<unknown> {
  const { provider, params } = handling;
  const [given, ...others] = params;
  if (others.length > 0) throw new Refused("it has more than one parameter");
  const fields = readCallFields(given);
  const chainId = readChain(fields["chainId"] ?? (await provider.request({ method: "eth_chainId" })));
  const from = readAccount(fields["from"]);
  const key = callKey({ ...fields, chainId, from });
  return send(handling, { chainId, from, keys: [key] }, ([call]) => {
    const { data, gas, to, value } = call as GuardedCall;
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
  for (const [name, capability] of Object.entries(capabilities ?? {})) {
    if ((capability as { optional?: unknown } | null)?.optional !== true)
      throw new Refused(`the guard does not know the capability ${JSON.stringify(name.slice(0, 40))}`);
  }
  const chainId = readChain(chain);
  const from = readAccount(sender);
  const keys = calls.map((call) => callKey({ ...readCallFields(call), chainId, from }));
  return send(handling, { chainId, from, keys }, (proven) => [
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

type Asked = { readonly chainId: number; readonly from: string; readonly keys: readonly string[] };

async function send(
  { book, method, provider, sleep }: Handling,
  { chainId, from, keys }: Asked,
  forward: (calls: readonly GuardedCall[]) => readonly unknown[],
): Promise<unknown> {
  const taken = await book.take(keys, sleep);
  const calls = taken.items.flatMap((item) => (item.kind === "call" ? [item.call] : []));
  try {
    await expectChain(provider, chainId);
    if (taken.isLocked) {
      const found = await search(provider, taken, { chainId, from });
      if (found !== undefined) {
        taken.end({ sentHash: found });
        return found;
      }
    }
    const { items, next, sentHash } = taken.quote;
    const isSecondApproval = isApproval(items[next - 1]) && isApproval(items[next]);
    if (isSecondApproval && sentHash !== undefined)
      await waitUntilMined(provider, { from, hash: sentHash, sleep });
    taken.fromBlock = await readBlock(provider);
    // The wait and the reads take time, in which the person may switch.
    await expectChain(provider, chainId);
  } catch (error) {
    taken.end(taken.isLocked ? "unknown" : "open");
    throw error;
  }
  try {
    const answer = await provider.request({ method, params: forward(calls) });
    taken.end({ sentHash: typeof answer === "string" ? answer : undefined });
    return answer;
  } catch (error) {
    taken.end(isOwnRefusal(error) ? "open" : "unknown");
    throw error;
  }
}

/**
 * Searches the chain for an item that the wallet was asked for before. A second approval costs only gas, so that one which
 * the chain does not have may be asked for again.
 *
 * @throws Refused for a payment that was not found: it may still be pending.
 */
async function search(
  provider: WalletProvider,
  { fromBlock, items }: TakenItems,
  account: { readonly chainId: number; readonly from: string },
): Promise<string | undefined> {
  const [item, ...others] = items;
  if (item?.kind === "call" && others.length === 0) {
    const found =
      fromBlock === undefined ? undefined : await findSent(provider, { ...item.call, ...account }, fromBlock);
    if (found !== undefined || isApproval(item)) return found;
  }
  throw new Refused("the wallet was asked for it, and whether it was sent is not known");
}

function isApproval(item: GuardItem | undefined): boolean {
  return item?.kind === "call" && !item.isPayment;
}
