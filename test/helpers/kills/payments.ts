import { type Address, type Hex, zeroHash } from "viem";
import { fastFill, getQuote, type Quote } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { amountOf, minimumAmountOf } from "../../../src/schema/quote/amount.ts";
import type { RecordAmount } from "../../../src/schema/record/recordAmount.ts";
import { setCode } from "../localChain.ts";
import { reverting } from "../requests/failureStage.ts";
import type { Draws } from "../seededDraws.ts";
import { dollars, drawIntent, ether, newPurse } from "./drawIntent.ts";
import type { Ask, Paid, Payer, Payment, User } from "./Payment.ts";
import { type PaymentKind, type PaymentPlan, paymentPlans } from "./paymentPlans.ts";
import { payAndClaim } from "./ways/claim.ts";
import { payOnExchange } from "./ways/exchange.ts";
import { payWithoutGas } from "./ways/gasless.ts";
import { depositOf, send, sendSteps, transactionsOf } from "./ways/send.ts";
import { payBySignature } from "./ways/signature.ts";
import { payOnSvm } from "./ways/svm.ts";
import { payByTransfer } from "./ways/transfer.ts";

/**
 * Quotes and pays, and waits for the blocks only.
 *
 * @param onQuoted Called between quote and payment.
 * @returns `undefined` when the load ends before the quote.
 */
export async function pay(
  kind: PaymentKind,
  payer: Payer,
  draws: Draws,
  ask: Ask,
  onQuoted: (requestId: Hex) => Promise<unknown> = async () => undefined,
): Promise<Payment | undefined> {
  const { destination, origin } = payer;
  const plan: PaymentPlan = paymentPlans[kind];
  const target = plan.isSameChain ? origin : destination;
  const accounts = { recipient: draws.address(), refundTo: draws.address() };
  const shared = {
    ...{ kind, plan, promised: 0n, relays: 0, sponsored: 0n, topup: 0n },
    deposited: plan.from === "ETH" || kind === "wrong currency" ? ether : dollars,
    filledOn: target.info.id,
    paidOn: kind === "wrong chain" ? destination.info.id : origin.info.id,
  };
  if (kind === "orphan") {
    const data = depositOf(accounts.refundTo, draws.bytes32());
    const to = origin.info.contracts.depository;
    const hashes = [await send({ chain: origin, data, from: payer.index, to, value: ether })];
    return { ...shared, ...accounts, hashes, requestId: undefined };
  }
  const purse = newPurse();
  const intent = await drawIntent(kind, { ...payer, purse }, accounts, draws);
  const quote = await ask(({ client }) => getQuote(client, intent)).catch((cause: unknown) => {
    throw new Error(`${kind} was not quoted: ${String(cause)}`, { cause });
  });
  if (quote === undefined) return undefined;
  const requestId = quote.steps[0]?.requestId as Hex;
  await onQuoted(requestId);
  if (plan.isAdvanced) await advance(requestId, ask);
  if (kind === "recipient refuses") await setCode(destination, accounts.recipient, reverting);
  const { currencyGasTopup, currencyIn, currencyOut } = quote.details;
  const paid = await carryOut(kind, quote, { ...payer, intent, purse }, draws, ask);
  const { quoted } = quote.feeSponsorship ?? {};
  return {
    ...shared,
    filledOn: intent.destinationChainId,
    paidOn: kind === "wrong chain" ? shared.paidOn : intent.originChainId,
    recipient: intent.recipient ?? "",
    refundTo: intent.refundTo ?? "",
    ...paid,
    deposited:
      paid.deposited ?? (plan.tradeType === "EXACT_OUTPUT" ? BigInt(currencyIn.amount) : shared.deposited),
    promised: plan.output === "least" ? minimumAmountOf(currencyOut) : amountOf(currencyOut),
    requestId,
    sponsored: quoted ? inMicros(quoted.sponsoredTotal) : 0n,
    topup: BigInt(currencyGasTopup?.amount ?? 0),
  };
}

/** Millionths of a dollar of an amount in USDC, rounded up. */
function inMicros({ amount, currency }: RecordAmount): bigint {
  const units = 10n ** BigInt((currency?.decimals ?? 6) - 6);
  return (BigInt(amount ?? 0) + units - 1n) / units;
}

/** Executes a quote in the way of its kind. */
function carryOut(kind: PaymentKind, quote: Quote, payer: User, draws: Draws, ask: Ask): Promise<Paid> {
  const { isSigned, payIn, terms }: PaymentPlan = paymentPlans[kind];
  if (isSigned) return payBySignature(kind, quote, payer, ask);
  if (payIn === "svm") return payOnSvm(kind, quote, payer, ask);
  if (payIn === "exchange") return payOnExchange(kind, quote, payer, ask);
  if (terms?.useDepositAddress) return payByTransfer(kind, quote, payer);
  if (kind === "gasless") return payWithoutGas(quote, payer, ask);
  if (kind === "fees claimed") return payAndClaim(quote, payer, draws, ask);
  return payOnChain(kind, quote, payer);
}

/** Asks for a fast fill, which a replica may have accepted before it died. */
async function advance(requestId: Hex, ask: Ask): Promise<void> {
  await ask(
    ({ client }) =>
      fastFill(client, { requestId }).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 409) throw error;
      }),
    true,
  );
}

async function payOnChain(kind: PaymentKind, quote: Quote, payer: User): Promise<Paid> {
  return { hashes: await sendPayment(kind, quote, payer), relays: 0 };
}

async function sendPayment(
  kind: PaymentKind,
  quote: Quote,
  { destination, index, intent, origin, partner, solver }: User,
): Promise<readonly Hex[]> {
  const own = { chain: origin, from: index };
  const { depository, relayReceiver } = origin.info.contracts;
  const steps = transactionsOf(quote.steps);
  const [last] = steps.slice(-1);
  if (last === undefined) throw new Error("the quote has no steps");
  // A quote that stays on its chain has no order, and is paid as quoted.
  const orderId = quote.protocol?.v2?.orderId ?? zeroHash;
  const requestId = quote.steps[0]?.requestId as Hex;
  const deposit = { data: depositOf(intent.refundTo as Address, orderId), to: depository, value: ether };
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
  return sendSteps(quote, { chain: origin, from: index });
}
