import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseEther,
  type TypedDataDefinition,
  zeroAddress,
} from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { type Quote, quoteSchema } from "../../../src/schema/quote/quote.ts";
import type { Chain } from "../../chains/Chain.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import type { ApiAnswer, Played, ScenarioContext, Service } from "../Scenario.ts";
import { currencyOf, fund, gasMoney, send } from "./chainActions.ts";

/** Amount of a scenario's payment, in wei. */
export const payment = parseEther("0.05");
/** The same in a token of six decimals. */
export const tokenPayment = 100_000_000n;

/** Fields of a quote request that differ from a plain bridge. */
export type Wanted = Readonly<Record<string, unknown>>;

/** An account without any transaction. */
export function freshAddress({ random32 }: ScenarioContext): Address {
  return `0x${random32().slice(26)}`;
}

/** Asks for a quote: native currency from the first chain to the second, to a fresh recipient. */
export function askQuote(
  scenario: ScenarioContext,
  wanted: Wanted = {},
  by: Service = scenario.service,
): Promise<ApiAnswer> {
  const { destination, origin, referrer, user } = scenario;
  const body = {
    amount: payment,
    destinationChainId: destination.definition.id,
    destinationCurrency: zeroAddress,
    originChainId: origin.definition.id,
    originCurrency: zeroAddress,
    recipient: freshAddress(scenario),
    referrer,
    refundTo: wanted["user"] ?? user.account.address,
    tradeType: "EXACT_INPUT",
    user: user.account.address,
    ...wanted,
  };
  return by("POST", "/quote/v2", { body });
}

/** Asks for a quote that must be given. @throws ControlRefusedError with the code of a refusal. */
export async function quoteOf(scenario: ScenarioContext, wanted?: Wanted, by?: Service): Promise<Quote> {
  const { body, status } = await askQuote(scenario, wanted, by);
  if (status === 200) return quoteSchema.parse(body);
  throw new ControlRefusedError(
    `The scenario's quote was refused: ${String(body["errorCode"])}, ${String(body["message"])}`,
  );
}

export function idsOf(quote: Quote): Pick<Played, "requestId" | "orderId"> {
  const requestId = quote.steps[0]?.requestId;
  if (requestId === undefined) throw new Error("a quote without steps");
  return { orderId: (quote.protocol?.v2?.orderId ?? null) as Hex | null, requestId: requestId as Hex };
}

/** Carries out the transactions of a quote as the user; `change` alters the last one. */
export async function pay(
  scenario: ScenarioContext,
  quote: Quote,
  change: { readonly value?: bigint; readonly gas?: bigint } = {},
): Promise<Played> {
  const { origin, user } = scenario;
  const calls = callsOf(quote);
  const value = calls.reduce((sum, call) => sum + call.value, 0n);
  await fund(scenario, origin, zeroAddress, value + gasMoney);
  let depositTxHash: Hex | null = null;
  for (const [index, call] of calls.entries()) {
    const isLast = index === calls.length - 1;
    depositTxHash = await send(scenario, origin, user, { ...call, ...(isLast && change) });
  }
  const ids = idsOf(quote);
  if (quote.details.currencyOut.currency.chainId === origin.definition.id) {
    const tx = JSON.stringify({ txHash: depositTxHash });
    const body = { chainId: origin.definition.id, requestId: ids.requestId, tx };
    await scenario.service("POST", "/transactions/single", { body });
  }
  return { ...ids, depositTxHash };
}

/** The transactions of a quote's steps, in order. */
function callsOf({ steps }: Quote): readonly { to: Address; data: Hex; value: bigint }[] {
  return steps.flatMap((step) => {
    if (step.kind !== "transaction") return [];
    return step.items.flatMap(({ data }) => {
      if (typeof data !== "object" || data === null || !("to" in data) || data.to === undefined) return [];
      const { data: calldata = "0x", to, value = "0" } = data as { data?: Hex; to: Address; value?: string };
      return [{ data: calldata, to, value: BigInt(value) }];
    });
  });
}

/** Deposits native currency at the depository of a chain under any id. */
export async function depositAt(
  scenario: ScenarioContext,
  chain: Chain,
  id: Hex,
  { payer = scenario.user, value = payment } = {},
): Promise<Hex> {
  const { address } = payer.account;
  const data = encodeFunctionData({
    abi: relayDepositoryAbi,
    args: [address, id],
    functionName: "depositNative",
  });
  return send(scenario, chain, payer, { data, to: chain.contracts.depository, value });
}

/** Quotes a payment in a token of the origin, with the user funded for it. */
export async function quoteToken(
  scenario: ScenarioContext,
  symbol: "USDC" | "USDT",
  wanted: Wanted = {},
  amount: bigint = tokenPayment,
  by?: Service,
): Promise<Quote> {
  const { destination, origin } = scenario;
  const originCurrency = currencyOf(origin, symbol);
  await fund(scenario, origin, originCurrency, amount);
  const destinationCurrency = currencyOf(destination, "USDC");
  return quoteOf(scenario, { amount, destinationCurrency, originCurrency, ...wanted }, by);
}

/** Signs what a quote requests and posts the signature. */
export async function handIn(
  scenario: ScenarioContext,
  quote: Quote,
  by: Service = scenario.service,
): Promise<Played> {
  const step = quote.steps.find(({ kind }) => kind === "signature");
  const data = step?.kind === "signature" ? step.items[0]?.data : undefined;
  if (data?.sign.signatureKind !== "eip712") throw new Error("a quote without typed data");
  const { domain, primaryType, types, value: message } = data.sign;
  const typedData: unknown = { domain, message, primaryType, types };
  const signature = await scenario.user.account.signTypedData(typedData as TypedDataDefinition);
  const { body, endpoint } = data.post;
  const answer = await by("POST", `${endpoint}?signature=${signature}`, { body });
  if (answer.status !== 200) {
    throw new ControlRefusedError(`The scenario's signature was refused: ${String(answer.body["message"])}`);
  }
  return { ...idsOf(quote), depositTxHash: null };
}
