import type { Hex } from "viem";
import type { FailReason } from "../../../../src/schema/request/failReason.ts";
import { encodeSvmAddress } from "../../../../src/svm/address.ts";
import { svmNativeToken } from "../../../../src/svm/constants.ts";
import { accountText } from "../../../chains/accountText.ts";
import {
  decodeSvmTransaction,
  SvmTransactionInvalidError,
} from "../../../chains/svm/decodeSvmTransaction.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { type SvmCurrency, svmCurrencies } from "../../../chains/svm/svmCurrencies.ts";
import { findSvmEntry, isSvmHistory, type SvmEntry } from "../../../chains/svm/svmHistory.ts";
import { svmParts } from "../../../chains/svm/svmParts.ts";
import {
  paymentCost,
  paymentInstructions,
  signSvmTransaction,
  swappedPaymentInstructions,
} from "../../../chains/svm/svmPayment.ts";
import { endsOfSwap } from "../../../chains/svm/swap/swapInstruction.ts";
import { swapProgramAddress } from "../../../chains/svm/swap/swapProgram.ts";
import type { Context } from "../../../context/Context.ts";
import { amountWorth, usdOf } from "../../../money/prices.ts";
import { spentBy } from "../../../router/planDelivery.ts";
import { refuseShortfall } from "../../../router/prepareFill.ts";
import { isPostgres } from "../../../store/dialect/columnTypes.ts";
import type { StoreTransaction, TransactionRow } from "../../../store/tables.ts";
import { recordAddressPayments } from "../../addresses/recordAddressPayments.ts";
import { firstIgnored } from "../../deposits/FoundDeposit.ts";
import { recordDeposits } from "../../deposits/recordDeposit.ts";
import type { Payment, PaymentSigner, Settled, SolverLedger, Unprepared } from "../../SolverLedger.ts";
import { findSvmAddressPayments, findSvmDeposits } from "./findSvmDeposits.ts";
import { type FillSwap, planSwap } from "./planSwap.ts";

type SvmTransfer = Payment & {
  readonly currency: SvmCurrency;
  /** Wallet in base58. */
  readonly recipient: string;
  /** Lamports that the transaction costs the solver besides the payment: the fee, and a new token account's rent. */
  readonly cost: bigint;
  /** The requestId. */
  readonly memo: Hex;
  /** Swap of what is spent into what the recipient gets. */
  readonly swap?: FillSwap | undefined;
};

export function svmLedger(chain: SvmChain, context: Context): SolverLedger<SvmTransfer> {
  const { ledger } = svmParts(chain);
  const { store } = context;
  return {
    definition: chain.definition,
    // The chain is never reorganised.
    isStanding: async ({ hash }) => (await findSvmEntry(store, hash)) !== undefined,
    onChange: (listener) => ledger.onEntry(listener),
    openSigner: (payments) => openSigner(chain, payments),
    prepareFill: async (intent, delivery) => {
      if (!("inventory" in delivery)) return refuseShortfall(delivery);
      const { path } = intent.fill;
      const planned = { memo: intent.requestId, recipient: intent.recipient };
      const spends = { amount: spentBy(delivery), currency: intent.fill.currency };
      if (path.length === 0) return preparePayment(chain, { ...planned, spends });
      const swap = await planSwap(chain, path, delivery, intent.fill.amount);
      return preparePayment(chain, { ...planned, spends, swap });
    },
    prepareRefund: async ({ deposit, intent, payee }) => {
      const refund = { memo: intent.requestId, recipient: payee };
      return prepareRefund(chain, refund, { ...deposit, amount: BigInt(deposit.amount) });
    },
    readOutcome: (row) => readOutcome(row, chain, context),
    search: async () => {
      await searchSvm(chain, context);
    },
    send: async (row) => {
      await ledger.settle(Buffer.from(row.raw, "base64"));
      return true;
    },
    tip: () => ledger.tip(),
  };
}

/** Searches the slots since the last search, and records findings and position in one transaction. */
export async function searchSvm(chain: SvmChain, context: Context): Promise<number> {
  const { store } = context;
  const chain_id = chain.definition.id;
  const cursor = (from: typeof store) =>
    from.selectFrom("cursors").select("next_block").where("chain_id", "=", chain_id).executeTakeFirst();
  const from = (await cursor(store))?.next_block ?? 0;
  const search = await findSvmDeposits(chain, store, from - 1);
  const { head } = search;
  const ignored = await firstIgnored(search.found, context);
  // The next search begins with the ignored slot.
  const slot = ignored === undefined ? search.slot : Number(ignored) - 1;
  if (slot < from) return slot;
  const found = search.found.filter(({ block }) => block.number <= slot);
  const payments = await findSvmAddressPayments(chain, store, [from - 1, slot]);
  return store.transaction().execute(async (transaction) => {
    const next = (await cursor(transaction))?.next_block ?? 0;
    // Another process searched them first.
    if (next !== from) return next - 1;
    // A reset or a restored snapshot has replaced what was searched.
    if (!(await isSvmHistory(transaction, head))) return from - 1;
    await recordDeposits(transaction, found, context);
    await recordAddressPayments(transaction, chain, payments, context);
    await transaction
      .insertInto("cursors")
      .values({ chain_id, next_block: slot + 1 })
      .onConflict((conflict) => conflict.column("chain_id").doUpdateSet({ next_block: slot + 1 }))
      .execute();
    return slot;
  });
}

type Planned = {
  readonly memo: Hex;
  /** 32 bytes. */
  readonly recipient: Hex;
  readonly spends: Payment["spends"];
  readonly swap?: FillSwap | undefined;
};

async function preparePayment(
  chain: SvmChain,
  { memo, recipient, spends, swap }: Planned,
): Promise<SvmTransfer | Unprepared> {
  const address = encodeSvmAddress({ bytes: spends.currency });
  const currency = svmCurrencies.find((each) => each.address === address);
  if (currency === undefined) return { details: "The solver does not hold the currency" };
  const transfer = { currency, memo, recipient: encodeSvmAddress({ bytes: recipient }), spends, swap };
  const { blockhash } = await svmParts(chain).ledger.head();
  const wire = await signTransfer(chain, transfer, { blockhash, nonce: 0 }).catch((error: unknown) => {
    if (error instanceof SvmTransactionInvalidError) return error;
    throw error;
  });
  if (wire instanceof SvmTransactionInvalidError) {
    return { details: wire.message, failReason: "DESTINATION_TOKEN_TRANSFER_REJECTED" };
  }
  const decoded = decodeSvmTransaction(wire, svmParts(chain).packages);
  const { error, logs } = await svmParts(chain).ledger.read((machine) => machine.simulate(decoded));
  if (error !== null) {
    return { details: [error, ...logs].join("\n"), failReason: failReasonOf(error, logs) };
  }
  const paid = { address: swap?.path.at(-1) ?? currency.address };
  return {
    ...transfer,
    cost: await paymentCost(svmParts(chain), { currency: paid, to: transfer.recipient }),
  };
}

async function prepareRefund(
  chain: SvmChain,
  to: Omit<Planned, "spends">,
  { amount, currency }: { readonly amount: bigint; readonly currency: string },
): Promise<SvmTransfer | Unprepared> {
  const held = chain.currencies.find(({ address }) => address === currency);
  const [native] = chain.currencies;
  if (held === undefined || native === undefined) {
    return { details: "The deposit is in a currency that the solver does not hold" };
  }
  const place = {
    currency: { address: accountText(currency) },
    to: encodeSvmAddress({ bytes: to.recipient }),
  };
  const cost = await paymentCost(svmParts(chain), place);
  const left = amount - amountWorth(usdOf(cost, native), held, "up");
  if (left <= 0n) {
    const details = "The deposit does not cover its refund's fee";
    return { details, refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" };
  }
  const payment = await preparePayment(chain, { ...to, spends: { amount: left, currency: held.address } });
  // The reason of the failed request stays.
  if ("memo" in payment) return payment;
  return { details: payment.details, isPayeeRejected: payment.failReason !== "SOLVER_BALANCE_TOO_LOW" };
}

async function signTransfer(
  chain: SvmChain,
  { currency, memo, recipient, spends, swap }: Omit<SvmTransfer, "cost">,
  { blockhash, nonce }: { readonly blockhash: string; readonly nonce: number },
): Promise<Uint8Array> {
  const { accounts, packages } = svmParts(chain);
  const { signer } = accounts.solver;
  // With the nonce, equal payments have different signatures.
  const parts = { from: signer, memo: `${memo}/${nonce}`, payer: signer, to: recipient };
  const instructions =
    swap === undefined
      ? await paymentInstructions({ ...parts, amount: spends.amount, currency }, packages)
      : await swappedPaymentInstructions({ ...parts, ...swap }, svmParts(chain));
  return signSvmTransaction(instructions, { blockhash, payer: signer }, packages);
}

/** Signs within the solver's balances. Nothing here reads the chain in the database transaction of the caller. */
async function openSigner(
  chain: SvmChain,
  payments: readonly SvmTransfer[],
): Promise<PaymentSigner<SvmTransfer>> {
  const owner = svmParts(chain).accounts.solver.signer.address;
  const { blockhash } = await svmParts(chain).ledger.head();
  const currencies = new Set([svmNativeToken, ...payments.map(({ currency }) => currency.address)]);
  const holdings = await svmParts(chain).ledger.read(async (machine) => {
    const held = [...currencies].map(
      async (currency) => [currency, await machine.balanceOf({ currency, owner })] as const,
    );
    return new Map(await Promise.all(held));
  });
  const take = (currency: string, amount: bigint) => {
    holdings.set(currency, (holdings.get(currency) ?? 0n) - amount);
  };
  return {
    reserve: ({ cost, currency, spends }) => {
      const needed = new Map([[svmNativeToken, cost]]);
      needed.set(currency.address, (needed.get(currency.address) ?? 0n) + spends.amount);
      if ([...needed].some(([each, amount]) => (holdings.get(each) ?? 0n) < amount)) return false;
      for (const [each, amount] of needed) take(each, amount);
      return true;
    },
    sign: async (transaction, payment) => {
      const nonce = await takeNonce(transaction, chain.definition.id);
      const wire = await signTransfer(chain, payment, { blockhash, nonce });
      const { signature } = decodeSvmTransaction(wire, svmParts(chain).packages);
      return { hash: signature, nonce, raw: Buffer.from(wire).toString("base64"), tx_data: null };
    },
  };
}

/** Numbers the solver's payments. The chain has no nonces: its signatures keep a payment from being made twice. */
async function takeNonce(transaction: StoreTransaction, chainId: number): Promise<number> {
  if (isPostgres(transaction)) {
    const row = transaction.selectFrom("cursors").select("chain_id").where("chain_id", "=", chainId);
    await row.forUpdate().execute();
  }
  const last = await transaction
    .selectFrom("transactions")
    .select((row) => row.fn.max("nonce").as("nonce"))
    .where("chain_id", "=", chainId)
    .executeTakeFirstOrThrow();
  return Number(last.nonce ?? -1) + 1;
}

async function readOutcome(
  row: TransactionRow,
  chain: SvmChain,
  { store }: Pick<Context, "store">,
): Promise<Settled | undefined> {
  const entry = await findSvmEntry(store, row.hash);
  if (entry === undefined) return undefined;
  const { outcome } = entry;
  const { error, logs } = outcome;
  return {
    columns: {
      block_at: entry.at,
      block_hash: entry.blockhash,
      block_number: entry.slot,
      fee: outcome.fee.toString(),
      gas_used: Number(outcome.units),
      state: error === null ? "mined" : "reverted",
    },
    failure: error === null ? undefined : { details: [error, ...logs].join("\n") },
    isOutdated: async () => false,
    measureDelivered: async () => deliveredBy(entry, chain),
    row,
  };
}

/** What the accounts of others gained in a payment of the solver, in the currency that it paid; of a swap, what it paid out. */
function deliveredBy({ outcome, wire }: SvmEntry, chain: SvmChain): bigint {
  const { accounts, packages } = svmParts(chain);
  const solver = accounts.solver.signer.address;
  const swap = decodeSvmTransaction(wire, packages).instructions.find(
    ({ program }) => program === swapProgramAddress,
  );
  const gained =
    swap === undefined
      ? outcome.tokens.filter(({ owner }) => owner !== solver)
      : outcome.tokens.filter(({ account }) => account === endsOfSwap(swap).destination);
  if (gained.length > 0) return gained.reduce((sum, { post, pre }) => sum + post - pre, 0n);
  const others = outcome.accounts.filter(({ address }) => address !== solver);
  return others.reduce((sum, { post, pre }) => sum + post - pre, 0n);
}

/** Errors of `swap.c` when the pools moved beyond the swap's limit. */
const swapRefusals = /Custom\(600[13]\)/;

function failReasonOf(error: string, logs: readonly string[]): FailReason {
  if (error.startsWith("InsufficientFundsForRent")) return "INSUFFICIENT_FUNDS_FOR_RENT";
  if (swapRefusals.test(error)) return "SLIPPAGE";
  if (logs.some((line) => /insufficient (?:lamports|funds)/.test(line))) return "SOLVER_BALANCE_TOO_LOW";
  return "DESTINATION_TOKEN_TRANSFER_REJECTED";
}
