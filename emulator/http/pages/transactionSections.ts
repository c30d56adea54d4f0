import { html } from "hono/html";
import {
  type Abi,
  type Address,
  decodeEventLog,
  formatEther,
  type Hex,
  isAddressEqual,
  isHash,
  parseAbi,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
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
import { unitsToDecimal } from "../../../src/internal/amounts.ts";
import { evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { svmNativeDecimals } from "../../../src/svm/constants.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import type { SvmOutcome } from "../../chains/svm/SvmOutcome.ts";
import { svmCurrencies } from "../../chains/svm/svmCurrencies.ts";
import { findSvmEntry } from "../../chains/svm/svmHistory.ts";
import type { Context } from "../../context/Context.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { explorerPath } from "../../currencies/currencyId.ts";
import { assetByCurrency } from "../../perps/exchangeCurrencies.ts";
import type { Exchange } from "../../perps/openExchange.ts";
import { contractAddresses } from "./consolePage.ts";
import { code, type Html } from "./page.ts";

/** A table of names and values. */
export type Section = readonly [caption: string, rows: readonly (readonly [name: string, value: unknown])[]];

/** What a ledger tells of a transaction; `undefined` for one that it does not have. */
export function transactionSections(
  place: Place,
  hash: string,
  context: Context,
): Promise<readonly Section[] | undefined> {
  if (isEvmChain(place)) return evmTransaction(place, hash, context);
  return isSvmChain(place) ? svmTransaction(place, hash, context) : exchangeAction(place, hash, context);
}

async function evmTransaction(chain: Chain, hash: string, { accounts }: Context) {
  if (!isHash(hash)) return undefined;
  const { client } = chain;
  const [transaction, receipt] = await Promise.all([
    client.getTransaction({ hash }).catch(absent(TransactionNotFoundError)),
    client.getTransactionReceipt({ hash }).catch(absent(TransactionReceiptNotFoundError)),
  ]);
  if (transaction === undefined) return undefined;
  const link = (address: Address) => addressLink(chain, address, evmName(chain, address, accounts));
  const { from, input, nonce, to, value } = transaction;
  const status = receipt?.status === "success" ? "success" : "reverted";
  const facts: Section = [
    "Transaction",
    [
      ["Hash", code(hash)],
      ["Status", receipt === undefined ? "pending" : status],
      ["Block", receipt?.blockNumber.toString() ?? "none yet"],
      ["From", link(from)],
      ["To", to === null ? "a new contract" : link(to)],
      ["Value", `${formatEther(value)} ETH`],
      ["Fee", receipt ? `${formatEther(receipt.gasUsed * receipt.effectiveGasPrice)} ETH` : "none yet"],
      ["Nonce", nonce],
    ],
  ];
  const events = (receipt?.logs ?? []).map((log): Section => {
    const { name, values } = decodeEvent(log);
    return [name, [["Contract", link(log.address)], ...numbered("Value", values)]];
  });
  return [facts, callSection(input), ...events];
}

/** Turns one kind of error into `undefined` and rethrows others. */
function absent(kind: new (...args: never[]) => Error) {
  return (error: unknown): undefined => {
    if (!(error instanceof kind)) throw error;
  };
}

function callSection(input: Hex): Section {
  const calldata = ["Calldata", code(valueText(input))] as const;
  const call = input === "0x" ? undefined : decodeCall(knownAbi, input);
  if (call === undefined)
    return [input === "0x" ? "Plain transfer" : "Call of an unknown function", [calldata]];
  const { args = [], functionName, tag = "0x" } = call;
  const appended = tag === "0x" ? [] : [["Appended", code(valueText(tag))] as const];
  return [functionName, [...numbered("Argument", args.map(valueText)), ...appended, calldata]];
}

function numbered(word: string, values: readonly string[]) {
  return values.map((value, index) => [`${word} ${index}`, code(value)] as const);
}

/** Decodes an event of a known contract; the topics and data of any other. */
function decodeEvent({ data, topics }: { readonly data: Hex; readonly topics: readonly Hex[] }) {
  try {
    const known = decodeEventLog({ abi: knownAbi, data, topics: topics as [Hex, ...Hex[]] });
    const values = Object.entries(known.args ?? {}).map(([name, value]) => `${name}: ${valueText(value)}`);
    return { name: known.eventName ?? "", values };
  } catch {
    return { name: "Unknown event", values: [...topics, valueText(data)] };
  }
}

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

function valueText(value: unknown): string {
  const text =
    typeof value === "object"
      ? JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? each.toString() : each))
      : String(value);
  const rest = text.length - longestText;
  return rest <= 0 ? text : `${text.slice(0, longestText)}… (${rest} more characters)`;
}

/** Names the service's contracts, tokens, pools and solver. */
export function evmName(
  { contracts, currencies, swap }: Chain,
  address: Address,
  { solver }: Context["accounts"],
): string | undefined {
  const names: readonly (readonly [string, string])[] = [
    ...contractAddresses(contracts),
    ...currencies.map(({ address: token, symbol }) => [symbol, token] as const),
    ...swap.pairs.map((pair) => ["pool", pair.address] as const),
    ["solver", solver.account.address],
  ];
  return names.find(([, known]) => isAddressEqual(known as Address, address))?.[0];
}

function addressLink({ definition }: Place, address: string, name?: string): Html {
  return html`<a href="${explorerPath}/${definition.id}/address/${address}">${code(address)}</a>${
    name === undefined ? "" : html` <span class="muted">${name}</span>`
  }`;
}

async function svmTransaction(chain: SvmChain, signature: string, { store }: Context) {
  const entry = await findSvmEntry(store, signature);
  if (entry === undefined) return undefined;
  const { at, isVoid, outcome, slot } = entry;
  const [payer] = outcome.accounts;
  const facts: Section = [
    "Transaction",
    [
      ["Signature", code(signature)],
      ["Status", isVoid ? "never executed" : (outcome.error ?? "success")],
      ["Slot", slot],
      ["Time", new Date(at).toISOString()],
      ["Fee payer", payer === undefined ? "none" : addressLink(chain, payer.address)],
      ["Fee", `${unitsToDecimal(outcome.fee, svmNativeDecimals)} SOL`],
      ["Compute units", outcome.units.toString()],
    ],
  ];
  const logs = outcome.logs.map((line, index) => [String(index + 1), line] as const);
  return [facts, ["Changes of balances", changesIn(outcome)], ["Logs", logs]] as const;
}

/** What each account gained, or lost with a minus sign. */
function changesIn({ accounts, tokens }: SvmOutcome): Section[1] {
  const native = { decimals: svmNativeDecimals, symbol: "SOL" };
  const moved = [
    ...accounts.map(({ address, post, pre }) => ({ change: post - pre, currency: native, owner: address })),
    ...tokens.map(({ mint, owner, post, pre }) => {
      const currency = svmCurrencies.find(({ address }) => address === mint) ?? { decimals: 0, symbol: mint };
      return { change: post - pre, currency, owner };
    }),
  ];
  return moved
    .filter(({ change }) => change !== 0n)
    .map(({ change, currency: { decimals, symbol }, owner }) => {
      const amount = unitsToDecimal(change < 0n ? -change : change, decimals);
      return [owner, `${change < 0n ? "-" : ""}${amount} ${symbol}`] as const;
    });
}

async function exchangeAction(exchange: Exchange, hash: string, { store }: Context) {
  if (!isHash(hash)) return undefined;
  const action = await store
    .selectFrom("exchange_actions")
    .selectAll()
    .where("hash", "=", hash.toLowerCase())
    .executeTakeFirst();
  if (action === undefined) return undefined;
  const { account, amount, at, currency, destination, error, id, nonce } = action;
  // A failed action moved nothing, and may name no currency.
  const asset = assetByCurrency(currency);
  const isAccount = evmAddressSchema.safeParse(destination).success;
  const facts: Section = [
    "Action",
    [
      ["Hash", code(action.hash)],
      ["Status", error ?? "success"],
      ["Height", id],
      ["Time", new Date(Number(at)).toISOString()],
      ["From", addressLink(exchange, account)],
      ["To", isAccount ? addressLink(exchange, destination) : destination],
      ["Amount", asset ? `${unitsToDecimal(BigInt(amount), asset.decimals)} ${asset.name}` : "none"],
      ["Nonce", nonce],
    ],
  ];
  return [facts];
}
