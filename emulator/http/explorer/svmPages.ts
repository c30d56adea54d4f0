import { html } from "hono/html";
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import { decodeSvmAddress, isSvmAddress } from "../../../src/svm/address.ts";
import { svmNativeDecimals } from "../../../src/svm/constants.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import type { SvmOutcome } from "../../chains/svm/SvmOutcome.ts";
import { svmCurrencies } from "../../chains/svm/svmCurrencies.ts";
import { findSvmEntry, type SvmEntry } from "../../chains/svm/svmHistory.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import { rpcUrlOf } from "../../currencies/currencyId.ts";
import type { Store } from "../../store/openStore.ts";
import {
  addressLink,
  explorerPage,
  factsTable,
  type Html,
  type LedgerPages,
  requestsSection,
} from "./explorerPage.ts";
import { requestsOf, requestsWith } from "./shownRequests.ts";

/** Explorer pages of the SVM chain. */
export function svmPages(chain: SvmChain, store: Store): LedgerPages {
  return {
    account: (address) => accountPage(chain, store, address),
    chain,
    home: () => homePage(chain),
    transaction: (signature) => transactionPage(chain, store, signature),
  };
}

async function homePage(chain: SvmChain): Promise<Html> {
  const { definition } = chain;
  const { slot } = await svmParts(chain).ledger.head();
  const facts = factsTable("Chain", [
    ["Id", definition.id],
    ["Name in orders", definition.name],
    ["Latest slot", slot],
    ["RPC", html`<code>${rpcUrlOf(chain)}</code>`],
  ]);
  return explorerPage(definition.displayName, chain, facts);
}

async function transactionPage(chain: SvmChain, store: Store, signature: string): Promise<Html | undefined> {
  const entry = await findSvmEntry(store, signature);
  if (entry === undefined) return undefined;
  const { at, outcome, slot } = entry;
  const [payer] = outcome.accounts;
  const facts = factsTable("Transaction", [
    ["Signature", html`<code>${signature}</code>`],
    ["Status", statusOf(entry)],
    ["Slot", slot],
    ["Time", new Date(Number(at)).toISOString()],
    ["Fee payer", payer === undefined ? "none" : addressLink(chain, payer.address)],
    ["Fee", `${unitsToDecimal(outcome.fee, svmNativeDecimals)} SOL`],
    ["Compute units", outcome.units.toString()],
  ]);
  const content = html`${facts}
${factsTable("Changes of balances", changesIn(outcome))}
${factsTable(
  "Logs",
  outcome.logs.map((line, index) => [index + 1, line] as const),
)}
${requestsSection(await requestsWith(store, signature))}`;
  return explorerPage(`Transaction on ${chain.definition.displayName}`, chain, content);
}

function statusOf({ isVoid, outcome: { error } }: SvmEntry): string {
  return isVoid ? "never executed" : (error ?? "success");
}

/** What each account gained, or lost with a minus sign. */
function changesIn({ accounts, tokens }: SvmOutcome): readonly (readonly [string, string])[] {
  const moved = [
    ...accounts.map(({ address, post, pre }) => ({
      change: post - pre,
      decimals: svmNativeDecimals,
      owner: address,
      symbol: "SOL",
    })),
    ...tokens.map(({ mint, owner, post, pre }) => {
      const known = svmCurrencies.find(({ address }) => address === mint);
      return { change: post - pre, decimals: known?.decimals ?? 0, owner, symbol: known?.symbol ?? mint };
    }),
  ];
  return moved
    .filter(({ change }) => change !== 0n)
    .map(({ change, decimals, owner, symbol }) => {
      const amount = unitsToDecimal(change < 0n ? -change : change, decimals);
      return [owner, `${change < 0n ? "-" : ""}${amount} ${symbol}`] as const;
    });
}

/** Of a wallet: tokens are its own, whichever account holds them. */
async function accountPage(chain: SvmChain, store: Store, address: string): Promise<Html | undefined> {
  if (!isSvmAddress({ address })) return undefined;
  const account = decodeSvmAddress({ address });
  const balances: (readonly [string, string])[] = [];
  for (const { address: currency, decimals, symbol } of chain.currencies) {
    balances.push([symbol, unitsToDecimal(await chain.balanceOf(currency, account), decimals)]);
  }
  const content = html`${factsTable("Account", [["Address", html`<code>${address}</code>`]])}
${factsTable("Balances", balances)}
${requestsSection(await requestsOf(store, account))}`;
  return explorerPage(`Account on ${chain.definition.displayName}`, chain, content);
}
