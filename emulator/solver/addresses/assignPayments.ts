import { type Address, type Hex, zeroAddress } from "viem";
import { type QuoteRequest, quoteRequestSchema } from "../../../src/schema/quote/quoteRequest.ts";
import type { FailReason } from "../../../src/schema/request/failReason.ts";
import { accountText, isZeroAccount } from "../../chains/accountText.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { leastSwept } from "../../chains/svm/svmParts.ts";
import type { Context } from "../../context/Context.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { usdOf } from "../../money/prices.ts";
import { type PreparedQuote, prepareQuote } from "../../quote/createQuote.ts";
import { sweepCost } from "../../quote/price/paymentCost.ts";
import { applyTrigger, lockStatus } from "../../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { insertRequests } from "../../requests/insertRequest.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type {
  AddressPaymentRow,
  DepositAddressRow,
  RequestRow,
  StoreTransaction,
} from "../../store/tables.ts";
import { openChildRequest } from "../deposits/openChildRequest.ts";
import { insertPayments, movePayment, retryPayments } from "../paymentRows.ts";
import { dueAtOnce, dueSince, isDueAt, postponed } from "../postponed.ts";
import type { SweepPayload } from "../relayed/sweepKind.ts";
import { storeRelayed } from "../relayedRows.ts";
import { judgePayment, type PaymentVerdict } from "./judgePayment.ts";
import { excessId } from "./recordAddressPayments.ts";

/** Most payments that are assigned in one round. */
const assignedAtOnce = 64;

type SweptChain = Chain | SvmChain;

/** A payment, and the rows that its verdict depends on. */
type Candidate = {
  readonly payment: AddressPaymentRow;
  readonly address: DepositAddressRow;
  readonly original: RequestRow;
};

type Subject = Candidate & { readonly intent: Intent };

type Plan =
  | Exclude<PaymentVerdict, { next: "requote" }>
  | { readonly next: "open"; readonly quote: PreparedQuote };

/**
 * Gives found payments to deposit addresses of a chain their requests: the one that the address was made for, or a new one. The
 * sweep that pays for a request is stored in the same transaction.
 */
export async function assignPayments(chain: SweptChain, context: Context): Promise<void> {
  const candidates = await loadCandidates(chain, context);
  // One after the other: the first decides whether the address's request is still unpaid.
  for (const { payment } of candidates) {
    try {
      await assign(payment, chain, context);
    } catch (cause) {
      const message = `assigning payment ${payment.id} failed`;
      context.log({ cause, level: "error", message });
      await postpone(payment, context);
    }
  }
}

/** A payment that fails delays no other, and is retried later and later. */
function postpone(payment: AddressPaymentRow, { store, workTime }: Context): Promise<void> {
  return retryPayments(store, { id: payment.id }, postponed(payment, workTime()));
}

/** Loads the payments without a request that have been due for the longest time. */
async function loadCandidates(
  { definition }: SweptChain,
  { store, workTime }: Pick<Context, "store" | "workTime">,
  id?: string,
): Promise<readonly Candidate[]> {
  const payments = await store
    .selectFrom("address_payments")
    .selectAll()
    .where("state", "=", "found")
    .where("chain_id", "=", definition.id)
    .where(isDueAt(workTime()))
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
    .orderBy(dueSince)
    .orderBy("at")
    .orderBy("id")
    .limit(assignedAtOnce)
    .execute();
  if (payments.length === 0) return [];
  const addresses = await store
    .selectFrom("deposit_addresses")
    .selectAll()
    .where("address", "in", [...new Set(payments.map(({ address }) => address))])
    .execute();
  const originals = await store
    .selectFrom("requests")
    .selectAll()
    .where(
      "id",
      "in",
      addresses.map(({ request_id }) => request_id),
    )
    .execute();
  const made = new Map(
    addresses.map((address) => {
      const original = originals.find(({ id }) => id === address.request_id);
      if (original === undefined) throw new Error(`${address.address} has no request`);
      return [address.address, { address, original }];
    }),
  );
  return payments.flatMap((payment) => {
    const rest = made.get(payment.address);
    return rest === undefined ? [] : [{ ...rest, payment }];
  });
}

async function assign({ id }: AddressPaymentRow, chain: SweptChain, context: Context): Promise<void> {
  // Read again: an earlier payment may have changed the request.
  const [candidate] = await loadCandidates(chain, context, id);
  if (candidate === undefined) return;
  const subject = { ...candidate, intent: parseIntent(candidate.original.intent) };
  const plan = await makePlan(subject, chain, context);
  await context.store.transaction().execute(async (transaction) => {
    if (!(await isStillFound(transaction, subject.payment))) return;
    await carryOut(transaction, plan, subject, context);
  });
}

async function makePlan(subject: Subject, chain: SweptChain, context: Context): Promise<Plan> {
  const { address, original, payment } = subject;
  const verdict = judgePayment(payment, {
    address,
    isDust: isDust(payment, chain),
    now: context.now(),
    original: { intent: subject.intent, status: original.status },
  });
  if (verdict.next !== "requote") return verdict;
  try {
    const body = requoted(quoteRequestSchema.parse(JSON.parse(address.quote_request)), payment);
    const owner = original.api_key_id === null ? undefined : { id: original.api_key_id };
    return { next: "open", quote: await prepareQuote(body, context, owner, payment.address as Address) };
  } catch (error) {
    if (!(error instanceof QuoteError)) throw error;
    return { next: "refund", reason: toFailReason(error) };
  }
}

function isDust({ amount, currency }: AddressPaymentRow, chain: SweptChain): boolean {
  const known = chain.currencies.find(({ address }) => address.toLowerCase() === currency);
  const units = BigInt(amount);
  return known === undefined || units < leastSwept(known) || usdOf(units, known) <= sweepCost(chain);
}

/** The quote's body for another payment to the same address. */
function requoted(request: QuoteRequest, { amount, chain_id, currency }: AddressPaymentRow): QuoteRequest {
  return {
    ...request,
    amount,
    originChainId: chain_id,
    originCurrency: accountText(currency),
    tradeType: "EXACT_INPUT",
  };
}

function toFailReason({ errorCode }: QuoteError): FailReason {
  return errorCode === "AMOUNT_TOO_LOW" ? "NEGATIVE_NEW_AMOUNT_AFTER_FEES" : "NO_QUOTES";
}

async function carryOut(
  transaction: StoreTransaction,
  plan: Plan,
  subject: Subject,
  context: Context,
): Promise<void> {
  const { original, payment } = subject;
  switch (plan.next) {
    case "hold":
      return movePayment(transaction, payment, "held");
    case "open": {
      const { features, row } = plan.quote;
      const isRefundedToSender = row.refund_to === zeroAddress && payment.sender !== null;
      const refund = isRefundedToSender ? { refund_to: payment.sender } : {};
      await insertRequests(transaction, [
        { features, request: { ...row, ...refund, parent_id: original.id } },
      ]);
      await movePayment(transaction, payment, "assigned", { request_id: row.id });
      return startSweep(transaction, row.id, subject, payment.amount, context);
    }
    case "refund": {
      const requestId = await openRefund(transaction, plan.reason, subject, context);
      if (requestId === undefined) return movePayment(transaction, payment, "held");
      await movePayment(transaction, payment, "assigned", { request_id: requestId });
      return startSweep(transaction, requestId, subject, payment.amount, context);
    }
    case "original": {
      // Another process may have found another payment for it first: this one is judged again.
      if ((await lockStatus(transaction, original.id)) !== "waiting") return;
      const amount = (BigInt(payment.amount) - plan.excess).toString();
      await movePayment(transaction, payment, "assigned", { amount, request_id: original.id });
      if (plan.excess > 0n) await insertExcess(transaction, payment, plan.excess);
      if (subject.intent.depositAddress?.refundsSender === true && payment.sender !== null) {
        const refund = { refund_to: payment.sender };
        await transaction.updateTable("requests").set(refund).where("id", "=", original.id).execute();
      }
      return startSweep(transaction, original.id, subject, amount, context);
    }
  }
}

/** Records the part of a payment that its request does not need as a payment of its own. */
async function insertExcess(
  transaction: StoreTransaction,
  payment: AddressPaymentRow,
  excess: bigint,
): Promise<void> {
  const part = { ...dueAtOnce, amount: excess.toString(), id: excessId(payment.id) };
  await insertPayments(transaction, [{ ...payment, ...part }]);
}

/** Opens a request that refunds a payment; `undefined` if no account is known to refund it to. */
async function openRefund(
  transaction: StoreTransaction,
  refusal: FailReason,
  { address, intent, original, payment }: Subject,
  context: Context,
): Promise<string | undefined> {
  const depositor = findPayer({ intent, payment });
  const refundTo = (address.refund_to ?? depositor) as Address | undefined;
  const terms = intent.depositAddress;
  if (refundTo === undefined || terms === undefined) return undefined;
  const { amount, chain_id: chainId, currency } = payment;
  const orderId = context.random32();
  const deposit = { amount: BigInt(amount), chainId, currency: currency as Address, tag: orderId };
  const refund = { depositAddress: { ...terms, refusal }, orderId, refundTo };
  return openChildRequest(transaction, deposit, depositor ?? refundTo, original, context, refund);
}

/** The payer, as far as it is known: the request's own account for money that a reindex found. */
function findPayer({ intent, payment }: Pick<Subject, "intent" | "payment">): Address | undefined {
  if (payment.sender !== null) return payment.sender as Address;
  if (intent.depositAddress?.recoveryAddress !== undefined)
    return intent.depositAddress.recoveryAddress as Address;
  return isZeroAccount(intent.user) ? undefined : (intent.user as Address);
}

/** Stores the sweep that pays for a request, and confirms the payment. */
async function startSweep(
  transaction: StoreTransaction,
  requestId: string,
  { address, intent, payment }: Subject,
  amount: string,
  { now }: Context,
): Promise<void> {
  const at = now();
  const depositor = findPayer({ intent, payment }) ?? address.refund_to ?? zeroAddress;
  const payload: SweepPayload = {
    amount,
    currency: payment.currency as Hex,
    depositor: depositor as Hex,
    salt: address.request_id as Hex,
  };
  await storeRelayed(transaction, "accepted", {
    at,
    chain_id: payment.chain_id,
    kind: "sweep",
    payload: JSON.stringify(payload),
    request_id: requestId,
  });
  await applyTrigger(transaction, requestId, { trigger: "deposit-confirmed" }, at);
}

/** Another process may have handled it; the row is locked until the transaction ends. */
async function isStillFound(transaction: StoreTransaction, { id }: AddressPaymentRow): Promise<boolean> {
  const row = await transaction
    .selectFrom("address_payments")
    .select("state")
    .where("id", "=", id)
    .$if(isPostgres(transaction), (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.state === "found";
}
