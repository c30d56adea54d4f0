import type { Hex } from "viem";
import * as z from "zod";
import { hexSchema } from "../../../../src/schema/wire/hex.ts";
import { uintStringSchema } from "../../../../src/schema/wire/wireAmount.ts";
import { svmNativeToken } from "../../../../src/svm/constants.ts";
import { accountText } from "../../../chains/accountText.ts";
import { type DecodedTransaction, decodeSvmTransaction } from "../../../chains/svm/decodeSvmTransaction.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { svmCurrencies } from "../../../chains/svm/svmCurrencies.ts";
import { findSvmEntry } from "../../../chains/svm/svmHistory.ts";
import { leastWalletLamports, svmDepositKey, svmParts } from "../../../chains/svm/svmParts.ts";
import {
  memoInstruction,
  paymentCost,
  paymentInstructions,
  signSvmTransaction,
} from "../../../chains/svm/svmPayment.ts";
import type { Context } from "../../../context/Context.ts";
import { faultSubjectColumns } from "../../../context/FaultHooks.ts";
import { applyTrigger, readStatus } from "../../../requests/applyTrigger.ts";
import type { RelayedDepositRow, StoreTransaction } from "../../../store/tables.ts";
import { isStillDue, lacksGas, loadDue } from "../../relayed/advanceRelayed.ts";
import { failureOf, type RelayFailure } from "../../relayed/RelayedKind.ts";
import type { SweepPayload } from "../../relayed/sweepKind.ts";
import { dropUnneeded, moveRelayed, postponeRelayed } from "../../relayedRows.ts";
import { sweepMemo } from "./findSvmDeposits.ts";

/**
 * Sweeps deposit addresses of the SVM chain, by one round. A sweep is signed and stored before it is sent, and executed before
 * the next one is signed: what an address holds decides what its next sweep takes.
 */
export async function advanceSvmSweeps(chain: SvmChain, context: Context): Promise<void> {
  await settleSvmSweeps(chain, context);
  for (const row of await loadDue(chain, { kind: "=", state: "due" }, context)) {
    try {
      await sweep(row, chain, context);
      await settleSvmSweeps(chain, context);
    } catch (cause) {
      const message = "sweeping a deposit address failed";
      context.log({ cause, level: "error", message, requestId: row.request_id });
      await postponeRelayed(row, context.store, context);
    }
  }
}

/**
 * Executes the signed sweeps, and records their outcome. Idempotent: the bytes are the same each time. A sweep that fails to
 * settle delays only those of its address, and is retried later and later.
 */
export async function settleSvmSweeps(chain: SvmChain, context: Context): Promise<void> {
  for (const row of await loadDue(chain, { kind: "=", state: "signed" }, context)) {
    try {
      await settle(row, chain, context);
    } catch (cause) {
      const message = "settling the sweep of a deposit address failed";
      context.log({ cause, level: "error", message, requestId: row.request_id });
      await postponeRelayed(row, context.store, context);
    }
  }
}

async function sweep(row: RelayedDepositRow, chain: SvmChain, context: Context): Promise<void> {
  const { order_id, ...subject } = await context.store
    .selectFrom("requests")
    .select([...faultSubjectColumns, "order_id"])
    .where("id", "=", row.request_id)
    .executeTakeFirstOrThrow();
  const until = await context.control.faults.forSignedDeposit(subject);
  if (until !== undefined) {
    return postponeRelayed(row, context.store, context, until);
  }
  const signed = await signSweep(chain, row.payload, order_id as Hex);
  await context.store.transaction().execute(async (transaction) => {
    if (await isStillDue(transaction, row)) await storeSweep(transaction, { chain, row, signed }, context);
  });
}

type SignedSweep = {
  readonly chain: SvmChain;
  readonly row: RelayedDepositRow;
  readonly signed: SvmSweep | RelayFailure;
};

async function storeSweep(
  transaction: StoreTransaction,
  { chain, row, signed }: SignedSweep,
  context: Context,
): Promise<void> {
  const { request_id } = row;
  if ((await readStatus(transaction, request_id)) !== "depositing") {
    return dropUnneeded(transaction, request_id);
  }
  if (await isUnsettledBefore(transaction, row)) return postponeRelayed(row, transaction, context);
  if ("wire" in signed) {
    const raw = Buffer.from(signed.wire).toString("base64");
    await moveRelayed(transaction, request_id, "signed", { hash: signed.signature, raw });
    return;
  }
  // The money is at the service's address already: the sweep waits for the solver's lamports.
  if (signed.failReason === "SOLVER_BALANCE_TOO_LOW") {
    context.log({ level: "error", message: lacksGas(chain), requestId: request_id });
    return postponeRelayed(row, transaction, context);
  }
  await moveRelayed(transaction, request_id, "dropped");
  await applyTrigger(transaction, request_id, { ...signed, trigger: "deposit-failed" }, context.now());
}

/** Whether another sweep of the same address is signed and not settled: what it leaves decides what this one takes. */
async function isUnsettledBefore(
  transaction: StoreTransaction,
  { chain_id, payload }: RelayedDepositRow,
): Promise<boolean> {
  const { salt }: SweepPayload = JSON.parse(payload);
  const earlier = await transaction
    .selectFrom("relayed_deposits")
    .select("request_id")
    .where("state", "=", "signed")
    .where("chain_id", "=", chain_id)
    .where("payload", "like", `%${salt}%`)
    .executeTakeFirst();
  return earlier !== undefined;
}

async function settle(
  { hash, raw, request_id }: RelayedDepositRow,
  chain: SvmChain,
  context: Context,
): Promise<void> {
  if (hash === null || raw === null) throw new Error(`the sweep of ${request_id} has no transaction`);
  await svmParts(chain).ledger.settle(Buffer.from(raw, "base64"));
  const entry = await findSvmEntry(context.store, hash);
  if (entry === undefined) throw new Error(`the SVM chain has no transaction ${hash}`);
  const { fee, error, logs, units } = entry.outcome;
  const at = context.now();
  await context.store.transaction().execute(async (transaction) => {
    // A void sweep is never executed: its money is swept anew, by what the address holds then.
    if (entry.isVoid) {
      await moveRelayed(transaction, request_id, "voided", { hash: null, raw: null }, hash);
      return;
    }
    const columns = {
      block_at: entry.at,
      block_hash: entry.blockhash,
      block_number: entry.slot,
      fee: fee.toString(),
      gas_used: Number(units),
    };
    const trigger = error === null ? "mined" : "reverted";
    const isFirst = await moveRelayed(transaction, request_id, trigger, columns, hash);
    // Another process may have recorded it first. The search of the chain finds the deposit of a successful one.
    if (error === null || !isFirst) return;
    if ((await readStatus(transaction, request_id)) !== "depositing") return;
    const failure = failureOf("TRANSFER_FAILED", [error, ...logs].join("\n"));
    const failedTx = { blockNumber: entry.slot, hash };
    const change = { ...failure, failedTx, trigger: "deposit-failed", txHash: hash } as const;
    await applyTrigger(transaction, request_id, change, at);
  });
}

/** What a sweep stores, with accounts of 32 bytes. */
const payloadSchema: z.ZodType<SweepPayload> = z.object({
  amount: uintStringSchema,
  currency: hexSchema,
  depositor: hexSchema,
  salt: hexSchema,
});

type SvmSweep = Pick<DecodedTransaction, "signature"> & { readonly wire: Uint8Array };

/**
 * Signs a sweep of a deposit address: a payment of the address to the solver, whose memos are the orderId and the
 * depositor. The solver pays the fee.
 */
async function signSweep(chain: SvmChain, payload: string, orderId: Hex): Promise<SvmSweep | RelayFailure> {
  const parts = svmParts(chain);
  const { ledger, packages } = parts;
  const { amount, currency: mint, depositor, salt } = payloadSchema.parse(JSON.parse(payload));
  const currency = svmCurrencies.find(({ address }) => address === accountText(mint));
  if (currency === undefined) return failureOf("TRANSFER_FAILED", "the service does not sweep the currency");
  const from = await svmDepositKey(salt as Hex, parts);
  const { signer: solver } = parts.accounts.solver;
  const held = await ledger.read((machine) =>
    machine.balanceOf({ currency: currency.address, owner: from.address }),
  );
  const payment = {
    amount: currency.address === svmNativeToken ? wholeIfRest(BigInt(amount), held) : BigInt(amount),
    currency,
    from,
    memo: orderId,
    payer: solver,
    to: solver.address,
  };
  const instructions = [
    ...(await paymentInstructions(payment, packages)),
    memoInstruction(sweepMemo(accountText(depositor)), packages),
  ];
  const { blockhash } = await ledger.head();
  const wire = await signSvmTransaction(instructions, { blockhash, payer: solver }, packages);
  const decoded = decodeSvmTransaction(wire, packages);
  const { error, logs } = await ledger.read((machine) => machine.simulate(decoded));
  if (error === null) return { signature: decoded.signature, wire };
  const lamports = await ledger.read((machine) =>
    machine.balanceOf({ currency: svmNativeToken, owner: solver.address }),
  );
  // The second signature is the solver's, and the rent of its wallet stays.
  const cost = 2n * (await paymentCost(parts, { currency, to: solver.address })) + leastWalletLamports;
  return failureOf(
    lamports < cost ? "SOLVER_BALANCE_TOO_LOW" : "TRANSFER_FAILED",
    [error, ...logs].join("\n"),
  );
}

/** An account cannot keep less than its rent exemption, so a sweep takes such a rest too. */
function wholeIfRest(amount: bigint, held: bigint): bigint {
  const rest = held - amount;
  return rest > 0n && rest < leastWalletLamports ? held : amount;
}
