import { bytesToHex, numberToHex } from "viem";
import type { PaymentClaim } from "../execute/paymentLedger.ts";
import { assertFunction } from "../internal/readParts.ts";
import { startReads } from "./chainReads.ts";
import { assertGuard, type QuoteGuard } from "./createQuoteGuard.ts";
import { Refused } from "./Refused.ts";
import { RefusedRequestError } from "./RefusedRequestError.ts";
import { readChain } from "./readRequest.ts";
import { type Handling, sendCalls, sendTransaction } from "./sendItems.ts";
import { readPersonalMessage, signTypedData } from "./signItems.ts";
import type { GuardedProvider, ProviderRequest, WalletProvider } from "./WalletProvider.ts";
import { copyAnswer, copyError, guardEvents } from "./walletValues.ts";
import { within } from "./within.ts";

const reads =
  "accounts blobBaseFee blockNumber call chainId createAccessList estimateGas feeHistory gasPrice getBalance " +
  "getBlockByHash getBlockByNumber getBlockReceipts getBlockTransactionCountByHash getBlockTransactionCountByNumber " +
  "getCode getFilterChanges getFilterLogs getLogs getProof getStorageAt getTransactionByBlockHashAndIndex " +
  "getTransactionByBlockNumberAndIndex getTransactionByHash getTransactionCount getTransactionReceipt " +
  "maxPriorityFeePerGas newBlockFilter newFilter requestAccounts subscribe syncing uninstallFilter unsubscribe";

/** Methods that neither sign nor change what a wallet signs: they reach the wallet as they are. */
const passedMethods: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...reads.split(" ").map((name) => `eth_${name}`),
  "net_listening",
  "net_version",
  "wallet_getCallsStatus",
  "wallet_getCapabilities",
  "wallet_getPermissions",
  "wallet_showCallsStatus",
  "web3_clientVersion",
  "web3_sha3",
]);

/** A read that has no effect on any wallet. */
const probeMethod = "eth_getTransactionByHash";
/** Milliseconds for a run to read through its wallet. */
const longestProbe = 10_000;

export type GuardProviderReturnType = GuardedProvider;

/**
 * Puts a guard before a wallet: returns a provider (EIP-1193) through which no signing request reaches the wallet unless it is
 * the next open item of a quote proven against the request that this page made. `docs/how-to/official-client.md` lists each method.
 *
 * Has `request`, `on`, `removeListener` and the wallet's flags; no `send`, `sendAsync` and `providers`, which would go around it.
 *
 * @param provider The wallet's provider. Its other users are not guarded. One that the guard returned is returned again.
 * @throws {InvalidParameterError} When `provider` has no `request`, or `guard` is none.
 *
 * @example
 * import { createQuoteGuard, guardProvider, type WalletProvider } from "waybill/guard";
 *
 * // Of a browser: window.ethereum.
 * const wallet: WalletProvider = { request: async ({ method }) => (method === "eth_chainId" ? "0x1" : null) };
 * const guard = createQuoteGuard({ policy: { price: ({ amount }) => amount } });
 * const provider = guardProvider(wallet, guard);
 * console.log(await provider.request({ method: "eth_chainId" })); // 0x1
 */
export function guardProvider(provider: WalletProvider, guard: QuoteGuard): GuardProviderReturnType {
  // A function is also an object here: some wallets are callable.
  assertFunction("provider.request", (provider as WalletProvider | undefined)?.request);
  assertGuard(guard);
  const { guarded: known } = guard.internal.book;
  const before = known.get(provider);
  if (before !== undefined) return before;
  const probes = new Map<string, () => void>();
  const guarded = {
    ...flagsOf(provider),
    ...guardEvents(provider, () => guarded),
    request: async (request: ProviderRequest) => {
      const { method, params } = (request ?? {}) as Partial<ProviderRequest>;
      try {
        if (typeof method !== "string") throw new Refused("it names no method");
        return copyAnswer(await handle({ guard, probes, provider }, { method, params }));
      } catch (error) {
        if (!(error instanceof Refused)) throw copyError(error);
        const { differences, reason } = error;
        const refusal = { differences, method: String(method), reason };
        guard.internal.refuse(refusal);
        throw new RefusedRequestError(refusal);
      }
    },
  } as GuardedProvider;
  for (const each of [provider, guarded]) known.set(each, guarded);
  return guarded;
}

type Guarded = {
  readonly provider: WalletProvider;
  readonly guard: QuoteGuard;
  /** Hashes that the guard lets a run of `execute` read, to see whether the run's wallet is this provider. */
  readonly probes: Map<string, () => void>;
};

/** Asks the run that holds a claim to read a random hash through its wallet. */
async function isHeldThrough({ guard, probes }: Guarded, { ask }: PaymentClaim): Promise<boolean> {
  if (ask === undefined) return false;
  const hash = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  const { promise, resolve } = Promise.withResolvers<boolean>();
  probes.set(hash, () => resolve(true));
  const asked = async () => ask({ method: probeMethod, params: [hash] });
  const isUnread = asked().then(
    () => false,
    () => false,
  );
  const answer = within(Promise.race([promise, isUnread]), longestProbe, guard.internal.sleep);
  return answer.catch(() => false).finally(() => probes.delete(hash));
}

/** Wallets set flags, such as `isMetaMask`, on themselves or on their class. */
function flagsOf(provider: object): Readonly<Record<string, boolean>> {
  const flags: Record<string, boolean> = {};
  for (
    let each: object | null = provider;
    each !== null && each !== Object.prototype;
    each = Object.getPrototypeOf(each)
  ) {
    for (const name of Object.getOwnPropertyNames(each)) {
      const value = /^is[A-Z]/.test(name) ? (provider as Readonly<Record<string, unknown>>)[name] : undefined;
      if (typeof value === "boolean") flags[name] = value;
    }
  }
  return flags;
}

async function handle(whole: Guarded, { method, params: given }: ProviderRequest): Promise<unknown> {
  const { guard, probes, provider } = whole;
  // One reading: a getter could show the guard one value and the wallet another.
  const copied = copy(given);
  const answerProbe = method === probeMethod ? probes.get(String(Object(copied)[0])) : undefined;
  if (answerProbe !== undefined) {
    answerProbe();
    return null;
  }
  if (passedMethods.has(method)) return provider.request(withParams(method, copied));
  const params = Array.isArray(copied) ? (copied as readonly unknown[]) : [copied];
  const { allow, book, chainIds, signInDomain, sleep } = guard.internal;
  const holds = (claim: PaymentClaim) => isHeldThrough(whole, claim);
  const read = startReads(provider, sleep);
  const handling: Handling = { book, holds, method, params, provider, read, sleep };
  switch (method) {
    case "eth_sendTransaction":
    case "wallet_sendTransaction":
      return sendTransaction(handling);
    case "wallet_sendCalls":
      return sendCalls(handling);
    case "eth_signTypedData_v4":
      return signTypedData(handling);
    case "wallet_switchEthereumChain": {
      const chainId = readChain((params[0] as { chainId?: unknown } | null | undefined)?.chainId);
      if (!chainIds.has(chainId)) throw new Refused(`chain ${chainId} is not one of the policy's`);
      return provider.request({ method, params: [{ chainId: numberToHex(chainId) }] });
    }
    case "wallet_requestPermissions": {
      const names = params.flatMap((each) => Object.keys(each ?? {}));
      if (names.length === 1 && names[0] === "eth_accounts")
        return provider.request({ method, params: [{ eth_accounts: {} }] });
      break;
    }
    case "personal_sign": {
      const message = readPersonalMessage(params, signInDomain());
      if (message.isSignIn || (await isAllowed(allow, { method, params: message.params })))
        return provider.request({ method, params: message.params });
      throw new Refused("it is no item of a quote, and no sign-in that the page allows");
    }
  }
  if (!(await isAllowed(allow, { method, params }))) throw new Refused("the guard does not list this method");
  return provider.request(withParams(method, copied));
}

/** The app's rule gets a copy of its own, so that it cannot change what the wallet receives. */
async function isAllowed(
  allow: QuoteGuard["internal"]["allow"],
  request: { readonly method: string; readonly params: readonly unknown[] },
): Promise<boolean> {
  return allow(structuredClone(request)).catch(() => false);
}

function copy(given: unknown): unknown {
  try {
    return structuredClone(given);
  } catch {
    throw new Refused("its parameters cannot be copied");
  }
}

function withParams(method: string, params: unknown): ProviderRequest {
  return params === undefined ? { method } : { method, params };
}
