import { type Address, type Hex, zeroHash } from "viem";
import { fastFill, getQuote, indexSingleTransaction, type Quote } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { amountOf, minimumAmountOf } from "../../../src/schema/quote/amount.ts";
import type { RecordAmount } from "../../../src/schema/record/recordAmount.ts";
import { setCode } from "../localChain.ts";
import { requestIdOf } from "../quotes/intents.ts";
import { reverting } from "../requests/failureStage.ts";
import type { Draws } from "../seededDraws.ts";
import type { Ask, Paid, Payer, Payment, User } from "./Payment.ts";
import { drawPlan, type PaymentKind, type PaymentPlan, paymentPlans } from "./paymentKinds.ts";
import { dollars, ether, newPurse, quoteParameters } from "./quoteParameters.ts";
import {
  depositOf,
  payAndClaim,
  payBySignature,
  payByTransfer,
  payOnExchange,
  payOnSvm,
  payWithoutGas,
  send,
  sendSteps,
  transactionsOf,
} from "./ways.ts";

/**
 * Quotes and pays, and waits for the blocks only.
 *
 * @param onQuoted Called between quote and payment.
 */
export async function pay(
  kind: PaymentKind,
  payer: Payer,
  draws: Draws,
  ask: Ask,
  onQuoted: (requestId: Hex) => Promise<unknown>,
): Promise<Payment> {
  const { destination, origin } = payer;
  const plan: PaymentPlan = kind === "drawn" ? drawPlan(draws) : paymentPlans[kind];
  const accounts = { recipient: draws.address(), refundTo: draws.address() };
  const isDrawn = kind === "drawn" || plan.tradeType === "EXACT_OUTPUT";
  const shared = {
    ...{ kind, plan, promised: 0n, relays: 0, sponsored: 0n, topup: 0n },
    deposited: plan.from === "ETH" || kind === "wrong currency" ? ether : dollars,
    paidOn: kind === "wrong chain" ? destination.info.id : origin.info.id,
  };
  if (kind === "orphan") {
    const data = depositOf(accounts.refundTo, draws.bytes32());
    const to = origin.info.contracts.depository;
    const hashes = [await send({ chain: origin, data, from: payer.index, to, value: ether })];
    return { ...shared, ...accounts, filledOn: destination.info.id, hashes, requestId: undefined };
  }
  const purse = newPurse();
  const intent = await quoteParameters(kind, plan, { ...payer, purse }, accounts, draws);
  const quote = await ask(({ client }) => getQuote(client, intent)).catch((cause: unknown) => {
    throw new Error(`${kind} was not quoted: ${String(cause)}`, { cause });
  });
  const requestId = requestIdOf(quote);
  await onQuoted(requestId);
  if (plan.isAdvanced) await advance(requestId, ask);
  if (kind === "recipient refuses") await setCode(destination, accounts.recipient, reverting);
  const { currencyGasTopup, currencyIn, currencyOut } = quote.details;
  const paid = await carryOut(kind, plan, quote, { ...payer, intent, purse }, draws, ask);
  const txHash = paid.hashes.at(-1);
  if (plan.isSameChain && txHash !== undefined) {
    const chainId = origin.info.id;
    await ask(({ client }) => indexSingleTransaction(client, { chainId, requestId, tx: { txHash } }));
  }
  const { quoted } = quote.feeSponsorship ?? {};
  // A pool changes no fixed output.
  const isLeast = plan.output === "least" && plan.tradeType !== "EXACT_OUTPUT";
  return {
    ...shared,
    filledOn: intent.destinationChainId,
    paidOn: kind === "wrong chain" ? shared.paidOn : intent.originChainId,
    recipient: intent.recipient ?? "",
    refundTo: intent.refundTo ?? "",
    ...paid,
    deposited: paid.deposited ?? (isDrawn ? BigInt(currencyIn.amount) : shared.deposited),
    promised: isLeast ? minimumAmountOf(currencyOut) : amountOf(currencyOut),
    requestId,
    sponsored: quoted?.sponsoredTotal ? inMicros(quoted.sponsoredTotal) : 0n,
    topup: BigInt(currencyGasTopup?.amount ?? 0),
  };
}

/** Millionths of a dollar of an amount in USDC, rounded up. */
function inMicros({ amount, currency }: RecordAmount): bigint {
  const units = 10n ** BigInt((currency?.decimals ?? 6) - 6);
  return (BigInt(amount ?? 0) + units - 1n) / units;
}

/** Asks for a fast fill, which a replica may have accepted before it died. */
async function advance(requestId: Hex, ask: Ask): Promise<void> {
  await ask(({ client }) =>
    fastFill(client, { requestId }).catch((error: unknown) => {
      if (!(error instanceof HttpError) || error.status !== 409) throw error;
    }),
  );
}

/** Executes a quote in the way of its kind. */
async function carryOut(
  kind: PaymentKind,
  { isSigned, payIn, terms }: PaymentPlan,
  quote: Quote,
  payer: User,
  draws: Draws,
  ask: Ask,
): Promise<Paid> {
  const less = kind.endsWith("too little") ? 1n : 0n;
  if (isSigned) return payBySignature(quote, payer, ask);
  if (payIn === "svm") return payOnSvm(quote, payer, less, ask);
  if (payIn === "exchange") return payOnExchange(quote, payer, less, ask);
  if (kind === "by plain transfer, recovered") return payByTransfer(quote, payer, -1n);
  if (kind.endsWith("too much") || kind.endsWith("another amount")) return payByTransfer(quote, payer, ether);
  if (terms?.useDepositAddress) return payByTransfer(quote, payer, 0n);
  if (kind === "gasless") return payWithoutGas(quote, payer, ask);
  if (kind === "fees claimed") return payAndClaim(quote, payer, draws, ask);
  return { hashes: await sendPayment(kind, quote, payer), relays: 0 };
}

async function sendPayment(
  kind: PaymentKind,
  quote: Quote,
  { destination, index, intent, origin, partner, solver }: User,
): Promise<readonly Hex[]> {
  const own = { chain: origin, from: index };
  const { depository, relayReceiver } = origin.info.contracts;
  const [last] = transactionsOf(quote.steps).slice(-1);
  if (last === undefined) throw new Error("the quote has no steps");
  // A quote that stays on its chain has no order, and is paid as quoted.
  const orderId = quote.protocol?.v2?.orderId ?? zeroHash;
  const requestId = requestIdOf(quote);
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
  return sendSteps(quote, own);
}
