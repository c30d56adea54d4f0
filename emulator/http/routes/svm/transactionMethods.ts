import * as z from "zod";
import { decodeSvmTransaction } from "../../../chains/svm/decodeSvmTransaction.ts";
import { nativeCurrency } from "../../../chains/svm/svmCurrencies.ts";
import { findSvmEntry, type SvmEntry, svmTransactionsOf } from "../../../chains/svm/svmHistory.ts";
import type { SvmParts } from "../../../chains/svm/svmParts.ts";
import { paymentInstructions, signSvmTransaction } from "../../../chains/svm/svmPayment.ts";
import type { Store } from "../../../store/tables.ts";
import { tokenAmount } from "./accountMethods.ts";
import { atSlot, errorJson, readParams, type SvmMethods, svmAddressSchema } from "./SvmMethod.ts";

const mostSignatures = 1_000;
const mostStatuses = 256;
const base64Options = z.object({ encoding: z.literal("base64"), skipPreflight: z.boolean().optional() });
const wireParams = z.tuple([z.base64(), base64Options]).rest(z.unknown());
const pageOptions = z.object({
  before: z.string().nullish(),
  limit: z.int().min(1).max(mostSignatures).nullish(),
  until: z.string().nullish(),
});
const pageParams = z.tuple([svmAddressSchema, pageOptions.nullish()]).or(z.tuple([svmAddressSchema]));
const signatureParams = z.tuple([z.string()]).rest(z.unknown());
const signaturesParams = z.tuple([z.array(z.string()).max(mostStatuses)]).rest(z.unknown());
const airdropParams = z.tuple([svmAddressSchema, z.int().min(1)]).rest(z.unknown());

/** Methods that send and find transactions. Transactions are base64, and final at once. */
export function transactionMethods({ accounts, ledger, packages }: SvmParts, store: Store): SvmMethods {
  return {
    getSignatureStatuses: async (params) => {
      const [signatures] = readParams(signaturesParams, params);
      const found = await Promise.all(signatures.map((each) => findSvmEntry(store, each)));
      const { slot } = await ledger.head();
      return atSlot(
        slot,
        found.map((each) => each && statusJson(each)).map((each) => each ?? null),
      );
    },
    getSignaturesForAddress: async (params) => {
      const [address, options] = readParams(pageParams, params);
      const { before, limit, until } = options ?? {};
      const page = {
        ...{ address, limit: limit ?? mostSignatures },
        before: before ?? undefined,
        until: until ?? undefined,
      };
      const found = await svmTransactionsOf(store, page);
      return found.map((each) => ({
        ...{
          blockTime: secondsOf(each),
          confirmationStatus: "finalized",
          err: errorJson(each.outcome.error),
        },
        ...{ memo: null, signature: each.signature, slot: each.slot },
      }));
    },
    getTransaction: async (params) => {
      const [signature] = readParams(signatureParams, params);
      const found = await findSvmEntry(store, signature);
      return found === undefined ? null : transactionJson(found);
    },
    requestAirdrop: async (params) => {
      const [to, lamports] = readParams(airdropParams, params);
      const faucet = accounts.faucet.signer;
      const payment = { amount: BigInt(lamports), currency: nativeCurrency, from: faucet, payer: faucet, to };
      const { blockhash } = await ledger.head();
      const instructions = await paymentInstructions(payment, packages);
      return ledger.send(await signSvmTransaction(instructions, { blockhash, payer: faucet }, packages));
    },
    sendTransaction: async (params) => {
      const [wire, { skipPreflight }] = readParams(wireParams, params);
      return ledger.send(Buffer.from(wire, "base64"), { skipPreflight });
    },
    simulateTransaction: async (params) => {
      const [wire] = readParams(wireParams, params);
      const decoded = decodeSvmTransaction(Buffer.from(wire, "base64"), packages);
      const { slot } = await ledger.head();
      const { error, logs, units } = await ledger.read((machine) => machine.simulate(decoded));
      const value = {
        accounts: null,
        err: errorJson(error),
        logs,
        returnData: null,
        unitsConsumed: Number(units),
      };
      return atSlot(slot, value);
    },
  };
}

function secondsOf({ at }: Pick<SvmEntry, "at">): number {
  return Math.floor(at / 1_000);
}

function statusJson({ outcome: { error }, slot }: SvmEntry) {
  const status = error === null ? { Ok: null } : { Err: errorJson(error) };
  return { confirmationStatus: "finalized", confirmations: null, err: errorJson(error), slot, status };
}

function transactionJson(transaction: SvmEntry) {
  const { outcome, slot, wire } = transaction;
  const held = (side: "pre" | "post") =>
    outcome.tokens.map(({ account, mint, owner, [side]: amount }) => ({
      accountIndex: outcome.accounts.findIndex(({ address }) => address === account),
      ...{ mint, owner },
      uiTokenAmount: tokenAmount(amount, mint),
    }));
  return {
    blockTime: secondsOf(transaction),
    meta: {
      computeUnitsConsumed: Number(outcome.units),
      err: errorJson(outcome.error),
      fee: Number(outcome.fee),
      innerInstructions: [],
      loadedAddresses: { readonly: [], writable: [] },
      logMessages: outcome.logs,
      postBalances: outcome.accounts.map(({ post }) => Number(post)),
      postTokenBalances: held("post"),
      preBalances: outcome.accounts.map(({ pre }) => Number(pre)),
      preTokenBalances: held("pre"),
      rewards: [],
      status: outcome.error === null ? { Ok: null } : { Err: errorJson(outcome.error) },
    },
    slot,
    transaction: [Buffer.from(wire).toString("base64"), "base64"],
    version: 0,
  };
}
