import type { WalletProvider } from "./WalletProvider.ts";

type Listener = (...values: unknown[]) => void;

/** Copies a value of the wallet: it may lead to the wallet itself. Undefined when it is no plain data. */
export function copyAnswer(value: unknown): unknown {
  // A copy as plain data would lose the code: wagmi waits for a reconnection after 1013.
  return value instanceof Error ? copyError(value) : copyPlain(value);
}

function copyPlain(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    try {
      return JSON.parse(JSON.stringify(value));
    } catch {
      return undefined;
    }
  }
}

/** Copies a wallet's error with the fields of EIP-1193. */
export function copyError(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return copyPlain(error);
  const { code, data, message, name } = error as Readonly<Record<string, unknown>>;
  const fields = {
    code: copyPlain(code),
    data: copyPlain(data),
    name: typeof name === "string" ? name : "Error",
  };
  return Object.assign(new Error(String(message)), fields);
}

/**
 * Returns `on` and `removeListener` of a wallet, without effect if it has none. Listeners get neither the wallet as `this` nor
 * its own objects.
 *
 * @param guarded The provider that both return, for chained calls.
 */
export function guardEvents(
  wallet: WalletProvider,
  guarded: () => WalletProvider,
): Required<Pick<WalletProvider, "on" | "removeListener">> {
  const wrappers = new WeakMap<Listener, Listener>();
  const wrap = (listener: Listener): Listener => {
    const known =
      wrappers.get(listener) ??
      ((...values) => void Reflect.apply(listener, undefined, values.map(copyAnswer)));
    wrappers.set(listener, known);
    return known;
  };
  const guard = (name: "on" | "removeListener") => {
    const { [name]: method } = wallet;
    return (event: string, listener: Listener) => {
      if (typeof method === "function" && typeof listener === "function")
        Reflect.apply(method, wallet, [String(event), wrap(listener)]);
      return guarded();
    };
  };
  return { on: guard("on"), removeListener: guard("removeListener") };
}
