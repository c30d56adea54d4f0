import type { Address } from "viem";
import type { Context } from "../../context/Context.ts";
import { orderLifetimeSeconds } from "../../quote/steps/buildOrder.ts";
import { accrueAppFees } from "../../requests/accrueAppFees.ts";
import { applyTrigger, readStatus } from "../../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { addRequestHash } from "../../requests/insertRequest.ts";
import type { RequestRow, StoreTransaction } from "../../store/tables.ts";
import { lockDeposit, relocateDeposit, storeDeposit } from "./depositRows.ts";
import { type FoundDeposit, splitExcess } from "./FoundDeposit.ts";
import { decidesRequest, type Judgement, judgeDeposit } from "./judgeDeposit.ts";
import { openChildRequest, type Parent } from "./openChildRequest.ts";
import { endAdvance, findPayBack } from "./payBackAdvance.ts";
import { depositReturned } from "./reorg.ts";

const unpaid: ReadonlySet<string> = new Set(["waiting", "depositing"]);

/** Records deposits of a ledger without reorgs, in the caller's transaction; see {@link recordDeposit}. */
export async function recordDeposits(
  transaction: StoreTransaction,
  found: readonly FoundDeposit[],
  context: Context,
): Promise<void> {
  for (const deposit of await splitExcess(transaction, found))
    await recordDeposit(transaction, deposit, context);
}

/**
 * Records a deposit in the caller's transaction, and moves the request that it names. If that request is missing or
 * cannot use the deposit, a child request refunds it. For a deposit that is recorded already, updates the block, and
 * resumes it if a reorg had removed it.
 */
export async function recordDeposit(
  transaction: StoreTransaction,
  deposit: FoundDeposit,
  context: Context,
): Promise<void> {
  const known = await lockDeposit(transaction, deposit.id);
  const depositor = chooseDepositor(deposit, context);
  const at = known?.at ?? context.now();
  const row = { ...toDepositRow(deposit, depositor), at };
  // One that covered an advance may find it covered by another, or released: it is judged anew.
  if (known !== undefined && known.state !== "netted-vanished") {
    await relocateDeposit(transaction, row);
    if (known.state === "vanished") await depositReturned(transaction, known, judgeAgain(deposit), context);
    return;
  }
  const named = await requestNamedBy(transaction, deposit);
  const confused = named === undefined ? await requestConfusedBy(transaction, deposit) : undefined;
  const isPaid = named !== undefined && !unpaid.has(named.status);
  const open = named && judgeDeposit(deposit, named.intent, circumstances(named, false, at));
  const payBack =
    named && open
      ? await findPayBack(transaction, named.id, { amount: deposit.amount, isPaid, judgement: open })
      : undefined;
  if (named && (payBack?.way === "cover" || payBack?.way === "replace")) {
    if (payBack.way === "replace") await endAdvance(transaction, payBack.advance);
    const trigger = payBack.way === "cover" ? "advance-covered" : "accepted";
    await storeDeposit(transaction, known, trigger, { ...row, reason: null, request_id: named.id });
    return recordPayBack(transaction, named.id, deposit, context);
  }
  const judgement: Judgement =
    payBack?.way === "refund"
      ? { outcome: "refused", reason: "TRANSACTION_REVERTED" }
      : named === undefined
        ? { outcome: "refused", reason: "ORPHANED_DEPOSIT_REFUND" }
        : judgeDeposit(deposit, named.intent, circumstances(named, isPaid, at));
  const isDecisive =
    named !== undefined &&
    (payBack?.way === "refund" ||
      decidesRequest(judgement, deposit, named.intent, isPaid) ||
      (await isRelayed(transaction, named, deposit)));
  const requestId = isDecisive
    ? named.id
    : await openChildRequest(transaction, deposit, depositor, named ?? confused, context);
  const failReason = judgement.outcome === "refused" ? judgement.reason : undefined;
  const values = { ...row, reason: failReason ?? null, request_id: requestId };
  await storeDeposit(transaction, known, judgement.outcome, values);
  await addRequestHash(transaction, { hash: deposit.txHash, kind: "deposit", request_id: requestId });
  const details = confused && explainConfusion(deposit, confused);
  const { block, txHash } = deposit;
  const change = { details, failReason, originBlock: Number(block.number), txHash };
  const trigger = `deposit-${judgement.outcome}` as const;
  await applyTrigger(transaction, requestId, { ...change, trigger }, context.now());
  if (failReason === undefined) return;
  const isRefunded = (named ?? confused)?.refund_to !== null;
  const outcome = isRefunded ? "is refunded" : "stays with the service, without `refundTo`";
  const message = [`a deposit ${outcome}: ${failReason}`, details].filter(Boolean).join("; ");
  context.log({ level: "info", message, requestId });
}

/** Records the payment of a request that was fast-filled, and is filled once. */
async function recordPayBack(
  transaction: StoreTransaction,
  requestId: string,
  { block, txHash }: FoundDeposit,
  context: Context,
): Promise<void> {
  await transaction
    .updateTable("requests")
    .set({ origin_block: Number(block.number) })
    .where("id", "=", requestId)
    .execute();
  await addRequestHash(transaction, { hash: txHash, kind: "deposit", request_id: requestId });
  if ((await readStatus(transaction, requestId)) === "success")
    await accrueAppFees(transaction, requestId, context.now());
}

async function isRelayed(
  transaction: StoreTransaction,
  { id, status }: Pick<RequestRow, "id" | "status">,
  { txHash }: Pick<FoundDeposit, "txHash">,
): Promise<boolean> {
  if (status !== "depositing") return false;
  const relayed = await transaction
    .selectFrom("relayed_deposits")
    .select("request_id")
    .where("request_id", "=", id)
    .where("hash", "=", txHash)
    .executeTakeFirst();
  return relayed !== undefined;
}

type Named = Parent & Pick<RequestRow, "status" | "created_at"> & { readonly intent: Intent };

/** Finds the request that a deposit names: by orderId at the depository, by requestId at the solver. */
async function requestNamedBy(
  transaction: StoreTransaction,
  { paidTo, tag }: FoundDeposit,
): Promise<Named | undefined> {
  const row = await transaction
    .selectFrom("requests")
    .select([
      "id",
      "intent",
      "status",
      "created_at",
      "user",
      "refund_to",
      "referrer",
      "api_key_id",
      "origin_chain_id",
    ])
    .where(paidTo === "depository" ? "order_id" : "id", "=", tag)
    .executeTakeFirst();
  return row && { ...row, intent: parseIntent(row.intent) };
}

/** A request whose other id a deposit carries: a requestId at the depository, an orderId at the solver. */
type Confused = Parent & Pick<RequestRow, "order_id">;

async function requestConfusedBy(
  transaction: StoreTransaction,
  { paidTo, tag }: FoundDeposit,
): Promise<Confused | undefined> {
  return transaction
    .selectFrom("requests")
    .select(["id", "order_id", "user", "refund_to", "referrer", "api_key_id", "origin_chain_id"])
    .where(paidTo === "depository" ? "id" : "order_id", "=", tag)
    .executeTakeFirst();
}

function explainConfusion({ paidTo, tag }: FoundDeposit, { id, order_id }: Confused): string {
  return paidTo === "depository"
    ? `the depository matches orderIds, and ${tag} is a requestId: its orderId is ${order_id}`
    : `the solver matches requestIds, and ${tag} is an orderId: its requestId is ${id}`;
}

function circumstances({ created_at }: Pick<RequestRow, "created_at">, isPaid: boolean, now: number) {
  return { isPaid, now, orderDeadline: created_at + orderLifetimeSeconds * 1_000 };
}

/** Judges a deposit as of the time when it was first found. */
function judgeAgain(deposit: FoundDeposit) {
  return (request: Pick<RequestRow, "intent" | "created_at">, foundAt: number): Judgement =>
    judgeDeposit(deposit, parseIntent(request.intent), circumstances(request, false, foundAt));
}

/**
 * The first named depositor that is no contract of the service: the service's contracts cannot hold a refund.
 */
function chooseDepositor({ chainId, depositors }: FoundDeposit, { chains }: Context): Address {
  const chain = chains.get(chainId);
  const contracts = chain && Object.values({ ...chain.contracts, ...chain.contracts.v3 });
  const isContract = (address: string) =>
    contracts?.some((each) => typeof each === "string" && each.toLowerCase() === address) === true;
  const depositor = depositors.find((address) => !isContract(address.toLowerCase())) ?? depositors.at(-1);
  if (depositor === undefined) throw new Error("a deposit without a depositor");
  return depositor;
}

function toDepositRow(deposit: FoundDeposit, depositor: Address) {
  const { amount, block, chainId, currency, fee, id, paid, tag, transaction, txHash } = deposit;
  return {
    amount: amount.toString(),
    block_at: Number(block.timestamp) * 1_000,
    block_hash: block.hash,
    block_number: Number(block.number),
    chain_id: chainId,
    currency,
    depositor,
    fee: fee.toString(),
    id,
    paid: paid?.toString() ?? null,
    tag,
    tx_data: transaction.input,
    tx_from: transaction.from.toLowerCase(),
    tx_hash: txHash,
    tx_to: transaction.to?.toLowerCase() ?? null,
    tx_value: transaction.value.toString(),
  };
}
