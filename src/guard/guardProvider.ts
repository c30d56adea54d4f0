import { numberToHex } from "viem";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertFunction } from "../internal/assertFunction.ts";
import { assertGuard, type QuoteGuard } from "./createQuoteGuard.ts";
import { passedMethods } from "./methods.ts";
import { Refused } from "./Refused.ts";
import { RefusedRequestError } from "./RefusedRequestError.ts";
import { readChain } from "./readRequest.ts";
import { type Handling, sendCalls, sendTransaction } from "./sendItems.ts";
import { readPersonalMessage, signTypedData } from "./signItems.ts";
import type { ProviderRequest, WalletProvider } from "./WalletProvider.ts";

/** Return value of {@link guardProvider}. */
export type GuardProviderReturnType = WalletProvider;

/** Errors of {@link guardProvider}. */
export type GuardProviderErrorType = InvalidParameterError;

/**
 * Puts a guard before a wallet: returns a provider (EIP-1193) through which no signing request reaches the wallet unless it is
 * the next open item of a quote proven against the request that this page made. `docs/guard.md` lists each method.
 *
 * Has `request`, `on`, `removeListener` and the wallet's flags; no `send`, `sendAsync` and `providers`, which would go around it.
 *
 * @param provider The wallet's provider. Its other users are not guarded.
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
  const { on, removeListener } = provider;
  return {
    ...flagsOf(provider),
    ...(typeof on === "function" && { on: on.bind(provider) }),
    ...(typeof removeListener === "function" && { removeListener: removeListener.bind(provider) }),
    request: async (request) => {
      const { method, params } = (request ?? {}) as Partial<ProviderRequest>;
      try {
        if (typeof method !== "string") throw new Refused("it names no method");
        return await handle(provider, guard, { method, params });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { differences, reason } = error;
        const refusal = { differences, method: String(method), reason };
        guard.internal.refuse(refusal);
        throw new RefusedRequestError(refusal);
      }
    },
  };
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

async function handle(
  provider: WalletProvider,
  { internal }: QuoteGuard,
  { method, params: given }: ProviderRequest,
): Promise<unknown> {
  // One reading: a getter could show the guard one value and the wallet another.
  const copied = copy(given);
  if (passedMethods.has(method)) return provider.request(withParams(method, copied));
  const params = Array.isArray(copied) ? (copied as readonly unknown[]) : [copied];
  const { allow, book, chainIds, signInDomain, sleep } = internal;
  const handling: Handling = { book, method, params, provider, sleep };
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
      const message = readPersonalMessage(params, signInDomain);
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
