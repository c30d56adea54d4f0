import { type Address, type Hex, parseEther, parseUnits, zeroAddress, zeroHash } from "viem";
import { depositData } from "../../../emulator/quote/steps/depositCall.ts";
import { type Client, getQuote, getStatus, type Quote } from "../../../src/client/index.ts";
import { amountOf, minimumAmountOf } from "../../../src/schema/quote/amount.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { setCode } from "../localChain.ts";
import { signatureOf, signQuote } from "../quotes/permits.ts";
import { reverting } from "../requests/failureStage.ts";
import type { Draws } from "../seededDraws.ts";
import { type PaymentKind, type PaymentPlan, paymentPlans } from "./paymentPlans.ts";

/** A payment and its expected outcome. No other payment has its recipient or refundTo. */
export type Payment = {
  readonly kind: PaymentKind;
  readonly plan: PaymentPlan;
  /** The request that was quoted; orphans name none. */
  readonly requestId: Hex | undefined;
  /** Each is a deposit, or the user's own transaction; the service's deposits for its user are excluded. */
  readonly hashes: readonly Hex[];
  readonly origin: TestChain;
  readonly destination: TestChain;
  /** The chain of the payment and of expected refunds. */
  readonly paidOn: TestChain;
  readonly recipient: Address;
  readonly refundTo: Address;
  /** Amount that the recipient receives when filled, or its minimum. */
  readonly promised: bigint;
  /** Amount of each deposit; a refund is lower by its gas. */
  readonly deposited: bigint;
  /** The solver's transactions that pull a user's signed payment. */
  readonly relays: number;
};

/** One process of the service. */
export type Replica = { readonly client: Client; readonly apiUrl: string };

/**
 * Calls a replica until one answers.
 *
 * @param insists Whether to continue after the end of the load; otherwise `undefined` is returned then.
 */
export type Ask = <Answer>(
  call: (replica: Replica) => Promise<Answer>,
  insists?: boolean,
) => Promise<Answer | undefined>;

/** The user who pays. */
export type Payer = {
  readonly origin: TestChain;
  readonly destination: TestChain;
  readonly solver: Address;
  /** Index among the test mnemonic's accounts. */
  readonly index: number;
  /** An account that pays for this payer on the origin chain, and for no other. */
  readonly partner: number;
};

type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint };
type Sending = Call & { readonly chain: TestChain; readonly from: number };
type Accounts = { readonly recipient: Address; readonly refundTo: Address };

const ether = parseEther("0.01");
const dollars = parseUnits("25", 6);
const gas = 1_000_000n;

/** Quotes and pays, and waits for the blocks only; `undefined` when the load ends before the quote. */
export async function pay(
  kind: PaymentKind,
  payer: Payer,
  draws: Draws,
  ask: Ask,
): Promise<Payment | undefined> {
  const { destination, index, origin } = payer;
  const plan: PaymentPlan = paymentPlans[kind];
  const accounts = { recipient: draws.address(), refundTo: draws.address() };
  const isInEther = plan.from === "ETH" || kind === "wrong currency";
  const shared = {
    ...accounts,
    ...{ deposited: isInEther ? ether : dollars, destination, kind, origin, plan },
    paidOn: kind === "wrong chain" ? destination : origin,
  };
  if (kind === "orphan") {
    const data = depositOf(accounts.refundTo, draws.bytes32());
    const to = origin.info.contracts.depository;
    const hashes = [await send({ chain: origin, data, from: index, to, value: ether })];
    return { ...shared, hashes, promised: 0n, relays: 0, requestId: undefined };
  }
  const quote = await ask(({ client }) => quoteOf(client, plan, payer, accounts));
  if (quote === undefined) return undefined;
  if (kind === "recipient refuses") await setCode(destination, accounts.recipient, reverting);
  const { currencyIn, currencyOut } = quote.details;
  const paid = plan.isSigned
    ? await payBySignature(kind, quote, payer, ask)
    : { hashes: await payOnChain(kind, quote, payer, accounts), relays: 0 };
  return {
    ...shared,
    ...paid,
    deposited: plan.tradeType === "EXACT_OUTPUT" ? BigInt(currencyIn.amount) : shared.deposited,
    promised: plan.output === "least" ? minimumAmountOf(currencyOut) : amountOf(currencyOut),
    requestId: quote.steps[0]?.requestId as Hex,
  };
}

async function quoteOf(
  client: Client,
  { from, hasCall, isSameChain, isSigned, to, tradeType = "EXACT_INPUT" }: PaymentPlan,
  { destination, index, origin }: Payer,
  { recipient, refundTo }: Accounts,
): Promise<Quote> {
  const target = isSameChain ? origin : destination;
  const transfer = erc20Data("transfer", recipient, dollars);
  return getQuote(client, {
    amount: (tradeType === "EXACT_INPUT" ? from : to) === "ETH" ? ether : dollars,
    destinationChainId: target.info.id,
    destinationCurrency: target.currency(to),
    originChainId: origin.info.id,
    originCurrency: origin.currency(from),
    recipient,
    refundTo,
    tradeType,
    user: origin.wallet(index).account.address,
    ...(hasCall && { txs: [{ data: transfer, to: target.currency(to), value: 0n }] }),
    ...(isSigned && { usePermit: true }),
  });
}

async function payOnChain(
  kind: PaymentKind,
  quote: Quote,
  payer: Payer,
  { refundTo }: Accounts,
): Promise<readonly Hex[]> {
  const { destination, index, origin, partner, solver } = payer;
  const own = { chain: origin, from: index };
  const { depository, relayReceiver } = origin.info.contracts;
  const steps = transactionsOf(quote.steps);
  const [last] = steps.slice(-1);
  if (last === undefined) throw new Error("the quote has no steps");
  // A quote that stays on its chain has no order, and is paid as quoted.
  const orderId = quote.protocol?.v2?.orderId ?? zeroHash;
  const requestId = quote.steps[0]?.requestId as Hex;
  const deposit = { data: depositOf(refundTo, orderId), to: depository, value: ether };
  switch (kind) {
    case "overpaid":
      return [await send({ ...own, ...last, value: 2n * last.value })];
    case "parallel":
      return Promise.all([send({ ...own, ...last }), send({ ...own, ...last, from: partner })]);
    case "stranger":
      return [await send({ ...own, ...deposit, from: partner })];
    case "third party":
      return [await send({ ...own, ...last, from: partner })];
    case "through the receiver":
      return [await send({ ...own, data: requestId, to: relayReceiver, value: last.value })];
    case "to the solver":
      return [await send({ ...own, data: requestId, to: solver, value: last.value })];
    case "too little":
      return [await send({ ...own, ...last, value: last.value - 1n })];
    case "twice":
      return [await send({ ...own, ...last }), await send({ ...own, ...last })];
    case "wrong chain":
      return [
        await send({ ...own, ...deposit, chain: destination, to: destination.info.contracts.depository }),
      ];
    case "wrong currency":
      return [await send({ ...own, ...deposit })];
  }
  const hashes: Hex[] = [];
  for (const { id, ...call } of steps) {
    const hash = await send({ ...own, ...call });
    if (id !== "approve") hashes.push(hash);
  }
  return hashes;
}

/** Posts the signature to two replicas at once, repeatedly until both accept it; the money moves once. */
async function payBySignature(kind: PaymentKind, quote: Quote, { index, origin }: Payer, ask: Ask) {
  const own = { chain: origin, from: index };
  for (const approval of transactionsOf(quote.steps)) await send({ ...own, ...approval });
  const { body } = signatureOf(quote).post;
  const signature = await signQuote(origin.wallet(index).account, quote);
  const post = async () =>
    ask(async ({ apiUrl }) => {
      const answer = await fetch(`${apiUrl}/execute/permits?signature=${signature}`, {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
        method: "POST",
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`the signature was answered ${answer.status}: ${text}`);
      return JSON.parse(text) as { readonly steps?: Quote["steps"] };
    }, true);
  const [answer] = await Promise.all([post(), post()]);
  const hashes: Hex[] = [];
  // An ERC-2612 permit is answered with the user's own transaction.
  for (const deposit of transactionsOf(answer?.steps ?? [])) hashes.push(await send({ ...own, ...deposit }));
  // The user approves one payment at a time: a concurrent quote would rely on this one's allowance.
  if (kind === "by Permit2") await ask(({ client }) => taken(client, quote.steps[0]?.requestId as Hex), true);
  return { hashes, relays: hashes.length === 0 ? 1 : 0 };
}

/** @throws As long as the money has not moved. */
async function taken(client: Client, requestId: Hex): Promise<void> {
  const { status } = await getStatus(client, { requestId });
  if (status === "waiting" || status === "depositing") throw new Error(`${requestId} is still ${status}`);
}

/** The transactions among the steps of a quote. */
function transactionsOf(steps: Quote["steps"]): readonly (Call & { readonly id: string })[] {
  return steps.flatMap(({ id, items, kind }) =>
    items.flatMap((item) => {
      if (kind !== "transaction") return [];
      const { data, to, value = "0" } = item.data as { data: Hex; to: Address; value?: string };
      return [{ data, id, to, value: BigInt(value) }];
    }),
  );
}

async function send({ chain, data, from, to, value }: Sending): Promise<Hex> {
  const hash = await chain.wallet(from).sendTransaction({ data, gas, to, value });
  const { status } = await chain.reader.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`the payment ${hash} reverted`);
  return hash;
}

function depositOf(depositor: Address, id: Hex): Hex {
  return depositData({ currency: zeroAddress, depositor, id });
}
