import { html } from "hono/html";
import type { Address } from "viem";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import { explorerPage, factsTable, type Html, requestsSection } from "./explorerPage.ts";
import type { ShownRequest } from "./shownRequests.ts";

/** Facts about an account. */
type AddressFacts = {
  readonly chain: Chain;
  readonly address: Address;
  readonly name: string | undefined;
  readonly isContract: boolean;
  readonly balances: readonly { readonly currency: LocalCurrency; readonly amount: bigint }[];
  /** Requests with the account as user or recipient, newest first. */
  readonly requests: readonly ShownRequest[];
};

/** Page of an account: kind, balances and requests. */
export function addressPage({ address, balances, chain, isContract, name, requests }: AddressFacts): Html {
  return explorerPage(
    `Account on ${chain.definition.displayName}`,
    chain,
    html`${factsTable("Account", [
      ["Address", html`<code>${address}</code>`],
      ["Name", name ?? "none"],
      ["Kind", isContract ? "contract" : "account without code"],
    ])}
${factsTable(
  "Balances",
  balances.map(
    ({ amount, currency }) => [currency.symbol, unitsToDecimal(amount, currency.decimals)] as const,
  ),
)}
${requestsSection(requests)}`,
  );
}
