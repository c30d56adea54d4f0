import { assertFunction } from "../internal/readParts.ts";
import { assertGuard, type QuoteGuard } from "./createQuoteGuard.ts";
import { guardProvider } from "./guardProvider.ts";
import type { WalletProvider } from "./WalletProvider.ts";
import { copyAnswer } from "./walletValues.ts";

const announced = "eip6963:announceProvider";

type Announcement = { readonly info: unknown; readonly provider: WalletProvider };

/**
 * Announces each wallet of the page behind the guard (EIP-6963): under the wallet's own uuid, name and icon, and instead of
 * the wallet. Call it before wagmi's configuration, or another store of wallets, is made.
 *
 * @param target Default: `window`.
 * @returns A function that ends it.
 * @throws {InvalidParameterError} For another argument, by name.
 *
 * @example
 * import { createQuoteGuard, guardAnnouncements } from "waybill/guard";
 *
 * const guard = createQuoteGuard({ policy: { price: ({ amount }) => amount } });
 * const stop = guardAnnouncements(guard, new EventTarget());
 * stop();
 */
export function guardAnnouncements(
  guard: QuoteGuard,
  target: EventTarget = globalThis as unknown as EventTarget,
): () => void {
  assertGuard(guard);
  assertFunction("target.addEventListener", (target as EventTarget | null)?.addEventListener);
  const own = new WeakSet<object>();
  const listen = (event: Event) => {
    const { info, provider } = ((event as CustomEvent<unknown>).detail ?? {}) as Partial<Announcement>;
    if (own.has(event)) return;
    event.stopImmediatePropagation();
    if (typeof provider?.request !== "function") return;
    const detail = Object.freeze({ info: copyAnswer(info), provider: guardProvider(provider, guard) });
    const replaced = new CustomEvent(announced, { detail });
    own.add(replaced);
    target.dispatchEvent(replaced);
  };
  target.addEventListener(announced, listen, { capture: true });
  return () => target.removeEventListener(announced, listen, { capture: true });
}
