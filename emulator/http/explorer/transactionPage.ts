import { html } from "hono/html";
import {
  type Abi,
  type Address,
  decodeEventLog,
  formatEther,
  type Hex,
  parseAbi,
  type Transaction,
  type TransactionReceipt,
} from "viem";
import { localDollarAbi } from "../../../src/abi/LocalDollar.ts";
import { localWrappedNativeAbi } from "../../../src/abi/LocalWrappedNative.ts";
import { multicall3Abi } from "../../../src/abi/Multicall3.ts";
import { relayApprovalProxyV2_1Abi } from "../../../src/abi/RelayApprovalProxyV2_1.ts";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { relayReceiverAbi } from "../../../src/abi/RelayReceiver.ts";
import { relayRouterV2_1Abi } from "../../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { decodeCall } from "../../../src/calls/decodeCall.ts";
import type { Chain } from "../../chains/Chain.ts";
import { addressLink, explorerPage, factsTable, type Html, requestsSection } from "./explorerPage.ts";
import type { ShownRequest } from "./shownRequests.ts";

/** Facts about a transaction. */
type TransactionFacts = {
  readonly chain: Chain;
  readonly transaction: Transaction;
  /** `undefined` until the transaction is mined. */
  readonly receipt: TransactionReceipt | undefined;
  readonly requests: readonly ShownRequest[];
  readonly nameOf: (address: Address) => string | undefined;
};

/** Page of a transaction: status, call, events and requests. */
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

/** Functions and events of the contracts that the emulator deploys. */
const knownAbi: Abi = [
  ...relayDepositoryAbi,
  ...relayReceiverAbi,
  ...relayRouterV3Abi,
  ...relayRouterV2_1Abi,
  ...relayApprovalProxyV3Abi,
  ...relayApprovalProxyV2_1Abi,
  ...localDollarAbi,
  ...localWrappedNativeAbi,
  ...multicall3Abi,
  ...parseAbi([
    "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
    "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
    "event Sync(uint112 reserve0, uint112 reserve1)",
  ]),
];

/** Maximum length of one value: calldata may have hundreds of kilobytes. */
const longestText = 2_000;

/** Name of a call or event, with its arguments as text. */
type Decoded = {
  readonly name: string;
  readonly args: readonly string[];
  /** Bytes after the arguments of a call. */
  readonly tag?: Hex;
};

/** Decodes a call of a known function; `undefined` for any other. */
function decodeKnownCall(data: Hex): Decoded | undefined {
  const call = decodeCall(knownAbi, data);
  if (call === undefined) return undefined;
  return { args: (call.args ?? []).map(valueText), name: call.functionName, tag: call.tag };
}

/** Decodes a known event; `undefined` for any other. */
function decodeKnownEvent(log: { data: Hex; topics: readonly Hex[] }): Decoded | undefined {
  try {
    const topics = log.topics as [Hex, ...Hex[]];
    const { args, eventName } = decodeEventLog({ abi: knownAbi, data: log.data, topics });
    const values = Object.entries(args ?? {}).map(([name, value]) => `${name}: ${valueText(value)}`);
    return { args: values, name: eventName ?? "" };
  } catch {
    return undefined;
  }
}

/** Formats an ABI value on one line, truncated. */
function valueText(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value, bigintText) : String(value);
  const rest = text.length - longestText;
  return rest <= 0 ? text : `${text.slice(0, longestText)}… (${rest} more characters)`;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
