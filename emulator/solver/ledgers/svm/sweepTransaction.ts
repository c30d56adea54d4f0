import type { Hex } from "viem";
import * as z from "zod";
import { hexSchema } from "../../../../src/schema/wire/hex.ts";
import { uintStringSchema } from "../../../../src/schema/wire/wireAmount.ts";
import { svmNativeToken } from "../../../../src/svm/constants.ts";
import { accountText } from "../../../chains/accountText.ts";
import { type DecodedTransaction, decodeSvmTransaction } from "../../../chains/svm/decodeSvmTransaction.ts";
import type { SvmChain } from "../../../chains/svm/SvmChain.ts";
import { svmCurrencies } from "../../../chains/svm/svmCurrencies.ts";
import { leastWalletLamports, svmDepositKey, svmParts } from "../../../chains/svm/svmParts.ts";
import {
  memoInstruction,
  paymentCost,
  paymentInstructions,
  signSvmTransaction,
} from "../../../chains/svm/svmPayment.ts";
import { failureOf, type RelayFailure } from "../../relayed/RelayedKind.ts";
import type { SweepPayload } from "../../relayed/sweepKind.ts";
import { sweepMemo } from "./findSvmDeposits.ts";

/** What a sweep stores, with accounts of 32 bytes. */
const payloadSchema: z.ZodType<SweepPayload> = z.object({
  amount: uintStringSchema,
  currency: hexSchema,
  depositor: hexSchema,
  salt: hexSchema,
});

export type SvmSweep = Pick<DecodedTransaction, "signature"> & { readonly wire: Uint8Array };

/**
 * Signs a sweep of a deposit address: a payment of the address to the solver, whose memos are the orderId and the
 * depositor. The solver pays the fee.
 */
export async function signSweep(
  chain: SvmChain,
  payload: string,
  orderId: Hex,
): Promise<SvmSweep | RelayFailure> {
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
