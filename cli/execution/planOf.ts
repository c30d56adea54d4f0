import {
  type Abi,
  type Address,
  erc20Abi,
  formatUnits,
  type Hex,
  isAddressEqual,
  type PublicClient,
} from "viem";
import { decodeCall } from "../../src/calls/decodeCall.ts";
import { proxyFunctions, serviceFunctions } from "../../src/calls/serviceFunctions.ts";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import { type Approval, readApproval } from "../../src/execute/stepCall.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import { table } from "../terminal/table.ts";
import type { SavedBounds } from "./ExecutionFile.ts";
import type { Currency } from "./requestQuote.ts";

const functions: Abi = [...serviceFunctions, ...proxyFunctions];

/** Facts of a proven quote. */
export type PlanParameters = {
  readonly account: Address;
  readonly bounds: SavedBounds;
  readonly from: Currency;
  /** Most native currency for the gas of a transaction, in whole tokens. */
  readonly maxFee: string;
  readonly node: PublicClient;
  /** As `verifyQuote` returned it. */
  readonly quote: Quote;
  readonly recipient: string;
  readonly refundTo: string;
  readonly to: Currency;
  readonly trust: TrustRoots;
};

/** An item that will be signed or sent. */
type PlanItem = {
  readonly step: string;
  readonly kind: "signature" | "transaction";
  /** Receiver of the transaction, with its role among the trusted contracts. */
  readonly to?: string | undefined;
  readonly role?: string | undefined;
  readonly call?: string | undefined;
  /** Wei. */
  readonly value?: string | undefined;
  readonly approval?:
    | { readonly amount: string; readonly before: string; readonly spender: string }
    | undefined;
};

/** What a run will sign and pay, and what is proven of it. */
export type Plan = {
  readonly pays: string;
  readonly gets: string;
  readonly fee: string;
  readonly items: readonly PlanItem[];
  readonly proven: readonly string[];
};

/** Describes a proven quote. Amounts have the chain's decimals, never those of the service. */
export async function planOf(parameters: PlanParameters): Promise<Plan> {
  const { from, maxFee, quote, to } = parameters;
  const { currencyIn, currencyOut } = quote.details;
  const least = currencyOut.minimumAmount ?? currencyOut.amount;
  const items = await Promise.all(
    quote.steps.flatMap((step) =>
      step.items.map(({ data }) => itemOf(parameters, { data, id: step.id, kind: step.kind })),
    ),
  );
  return {
    fee: `at most ${maxFee} native on ${from.chainId} for the gas of each transaction; a rollup's data fee comes on top`,
    gets: `at least ${amount(least, to)} on ${to.chainId} for ${parameters.recipient}`,
    items,
    pays: `${amount(currencyIn.amount, from)} on ${from.chainId} by ${parameters.account}`,
    proven: provenOf(parameters),
  };
}

function amount(units: string, { decimals, symbol }: Currency): string {
  return `${formatUnits(BigInt(units), decimals)} ${symbol}`;
}

type Item = { readonly data: unknown; readonly id: string; readonly kind: string };

async function itemOf(parameters: PlanParameters, { data, id, kind }: Item): Promise<PlanItem> {
  if (kind !== "transaction") return { kind: "signature", step: id };
  const { data: calldata = "0x", to, value = "0" } = data as { data?: Hex; to: Address; value?: string };
  const approval = readApproval({ data: calldata, value });
  return {
    approval: approval === undefined ? undefined : await exposureOf(parameters, to, approval),
    call:
      calldata === "0x" ? undefined : (decodeCall(functions, calldata)?.item.name ?? calldata.slice(0, 10)),
    kind: "transaction",
    role: roleOf(parameters, to),
    step: id,
    to,
    value: BigInt(value).toString(),
  };
}

/** What a spender may take before and after an approval. */
async function exposureOf(
  { account, node }: PlanParameters,
  token: Address,
  { amount: allowed, spender }: Approval,
): Promise<PlanItem["approval"]> {
  const args = [account, spender] as const;
  const before = await node.readContract({ abi: erc20Abi, address: token, args, functionName: "allowance" });
  return { amount: allowed.toString(), before: before.toString(), spender };
}

function roleOf({ from, trust }: PlanParameters, address: Address): string | undefined {
  const chain = trust.chains.find(({ chainId }) => chainId === from.chainId);
  const roles: readonly (readonly [string, string | undefined])[] = [
    [from.symbol, from.address],
    ["depository", chain?.depository],
    ["receiver", chain?.relayReceiver],
    ["permit2", chain?.permit2],
    ["wrapped native", chain?.wrappedNative],
    ...(chain?.routers ?? []).flatMap(({ approvalProxy, router, version }) => [
      [`router ${version}`, router] as const,
      [`approval proxy ${version}`, approvalProxy] as const,
    ]),
  ];
  return roles.find(([, each]) => each !== undefined && isAddressEqual(each as Address, address))?.[0];
}

function provenOf({ bounds, from, quote, refundTo, to, trust }: PlanParameters): readonly string[] {
  const { orderData, orderId } = quote.protocol?.v2 ?? {};
  const guard = trust.chains.find(({ chainId }) => chainId === from.chainId)?.outputGuard;
  const output =
    orderData === undefined
      ? `the output: enforced by chain ${from.chainId}${guard === undefined ? "" : `, with the guard ${guard}`}`
      : `the output: order ${orderId}, signed by a trusted solver, open until ${new Date(orderData.output.deadline * 1_000).toISOString()}`;
  const limits = [
    bounds.minimumOutput === undefined ? "" : `at least ${amount(bounds.minimumOutput, to)}`,
    bounds.maximumInput === undefined ? "" : `at most ${amount(bounds.maximumInput, from)}`,
  ].filter((text) => text !== "");
  return [
    "the payment: this amount alone, to trusted contracts alone",
    output,
    `the refund: to ${refundTo}`,
    limits.length === 0 ? "not the price: no bound was named" : `the price: ${limits.join(", ")}`,
  ];
}

/** Lays a plan out for a person. */
export function describePlan({ fee, gets, items, pays, proven }: Plan, from: Currency): string {
  const rows = items.map(({ approval, call, kind, role, step, to, value = "0" }, i) => {
    if (kind === "signature") return [`  ${i + 1}.`, step, "signature", "", ""];
    const target = `${to}${role === undefined ? "" : ` (${role})`}`;
    const spends = approval === undefined ? "" : exposureText(approval, from);
    return [
      `  ${i + 1}.`,
      step,
      call ?? "transfer",
      target,
      value === "0" ? spends : `${formatUnits(BigInt(value), 18)} native`,
    ];
  });
  return [
    table([
      ["pays", pays],
      ["gets", gets],
      ["fee", fee],
    ]),
    "Signs",
    table(rows),
    "Proven",
    ...proven.map((text) => `  ${text}`),
  ].join("\n");
}

function exposureText(
  { amount: allowed, before, spender }: NonNullable<PlanItem["approval"]>,
  from: Currency,
): string {
  const now = before === "0" ? "" : `, now ${amount(before, from)}`;
  return `${spender} may take ${amount(allowed, from)}${now}`;
}
