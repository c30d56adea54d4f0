import { html } from "hono/html";
import { type Address, formatEther, type Hex, type Transaction, type TransactionReceipt } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { RequestRow } from "../../store/tables.ts";
import { decodeKnownCall, decodeKnownEvent, valueText } from "./decode.ts";
import { addressLink, explorerPage, factsTable, type Html } from "./explorerPage.ts";
import { requestsSection } from "./requestsSection.ts";

/** What is shown of a transaction. */
export type TransactionFacts = {
  readonly chain: Chain;
  readonly transaction: Transaction;
  /** Undefined until it is mined. */
  readonly receipt: TransactionReceipt | undefined;
  readonly requests: readonly Pick<RequestRow, "id" | "status">[];
  readonly nameOf: (address: Address) => string | undefined;
};

/** A transaction: status, call, events and the requests that it belongs to. */
export function transactionPage(facts: TransactionFacts): Html {
  const { chain, nameOf, receipt, requests, transaction } = facts;
  const { from, hash, input, nonce, to, value } = transaction;
  const link = (address: Address) => addressLink(chain, address, nameOf(address));
  const rows: (readonly [string, unknown])[] = [
    ["Hash", html`<code>${hash}</code>`],
    ["Status", statusOf(receipt)],
    ["Block", receipt?.blockNumber.toString() ?? "none yet"],
    ["From", link(from)],
    ["To", to === null ? "a new contract" : link(to)],
    ["Value", `${formatEther(value)} ETH`],
    [
      "Fee",
      receipt === undefined ? "none yet" : `${formatEther(receipt.gasUsed * receipt.effectiveGasPrice)} ETH`,
    ],
    ["Nonce", nonce],
  ];
  return explorerPage(
    `Transaction on ${chain.definition.displayName}`,
    chain,
    html`${factsTable("Transaction", rows)}
<h2>Call</h2>
${callSection(input)}
<h2>Events</h2>
${eventsSection(receipt, link)}
${requestsSection(requests)}`,
  );
}

function statusOf(receipt: TransactionReceipt | undefined): string {
  if (receipt === undefined) return "pending";
  return receipt.status === "success" ? "success" : "reverted";
}

function callSection(input: Hex): Html {
  if (input === "0x") return html`<p>No calldata: a plain transfer of native currency.</p>`;
  const call = decodeKnownCall(input);
  const calldata = ["Calldata", html`<code>${valueText(input)}</code>`] as const;
  if (call === undefined) return factsTable("Calldata of an unknown function", [calldata]);
  return factsTable(call.name, [
    ...call.args.map((arg, index) => [`Argument ${index}`, html`<code>${arg}</code>`] as const),
    ...(call.tag === undefined || call.tag === "0x"
      ? []
      : [["Appended", html`<code>${valueText(call.tag)}</code>`] as const]),
    calldata,
  ]);
}

function eventsSection(receipt: TransactionReceipt | undefined, link: (address: Address) => Html): Html {
  if (receipt === undefined || receipt.logs.length === 0) return html`<p class="muted">There are none.</p>`;
  return html`${receipt.logs.map((log) => {
    const event = decodeKnownEvent(log);
    const values = event?.args ?? [...log.topics, valueText(log.data)];
    return factsTable(event?.name ?? "Unknown event", [
      ["Contract", link(log.address)],
      ...values.map((value, index) => [`Value ${index}`, html`<code>${value}</code>`] as const),
    ]);
  })}`;
}
