import type { Address, Blockhash, Instruction, KeyPairSigner, TransactionSigner } from "@solana/kit";
import { svmNativeToken } from "../../../src/svm/constants.ts";
import { SvmTransactionInvalidError, signatureFee } from "./decodeSvmTransaction.ts";
import type { SvmPackages } from "./loadSvm.ts";
import type { SvmCurrency } from "./svmCurrencies.ts";
import type { SvmParts } from "./svmParts.ts";
import { type SvmSwap, swapInstruction } from "./swap/swapInstruction.ts";

/** The memo program, version 2. */
export const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
/** Block height after which a client stops waiting; the ledger counts slots itself. */
const noLastHeight = 2n ** 63n;

/** A payment on the SVM chain. */
export type SvmPayment = {
  readonly from: TransactionSigner;
  readonly to: string;
  readonly currency: Pick<SvmCurrency, "address" | "decimals">;
  /** Smallest units. */
  readonly amount: bigint;
  /** Text that identifies the payment; none without. */
  readonly memo?: string | undefined;
  /** Account that pays the fee, and the rent of the recipient's token account. */
  readonly payer: TransactionSigner;
};

type Ledger = Pick<SvmParts, "ledger" | "packages">;
type Currency = Pick<SvmCurrency, "address">;

/** Lamports that a payment with one signature costs the payer: the fee, and the rent of a token account that it opens. */
export async function paymentCost(
  parts: Ledger,
  { currency, to }: { readonly currency: Currency; readonly to: string },
): Promise<bigint> {
  const holder = { mint: currency.address, owner: to };
  const isOpen =
    currency.address === svmNativeToken ||
    (await parts.ledger.read((machine) => machine.tokenAccount(holder))) !== undefined;
  return isOpen ? signatureFee : highestPaymentCost(parts, currency);
}

/** Lamports that a payment costs at most: a payment of tokens may open an account. */
export async function highestPaymentCost(
  { ledger, packages }: Ledger,
  { address }: Currency,
): Promise<bigint> {
  if (address === svmNativeToken) return signatureFee;
  const rent = await ledger.read((machine) => machine.rentOf(packages.token.getTokenSize()));
  return signatureFee + rent;
}

/**
 * Instructions of a payment: the transfer, then the memo. A token payment creates the recipient's associated token account
 * first, unless it exists.
 */
export async function paymentInstructions(
  { amount, currency, from, memo, payer, to }: SvmPayment,
  packages: SvmPackages,
): Promise<readonly Instruction[]> {
  const { system, token } = packages;
  const recipient = to as Address;
  const memos = memo === undefined ? [] : [memoInstruction(memo, packages)];
  if (currency.address === svmNativeToken) {
    return [system.getTransferSolInstruction({ amount, destination: recipient, source: from }), ...memos];
  }
  const mint = currency.address as Address;
  const destination = await tokenAccountOf(recipient, mint, packages);
  return [
    token.getCreateAssociatedTokenIdempotentInstruction({ ata: destination, mint, owner: recipient, payer }),
    token.getTransferCheckedInstruction({
      ...{ amount, authority: from, decimals: currency.decimals, destination, mint },
      source: await tokenAccountOf(from.address, mint, packages),
    }),
    ...memos,
  ];
}

export type SvmSwappedPayment = Omit<SvmPayment, "amount" | "currency"> & Pick<SvmSwap, "amounts" | "path">;

/** Instructions of a payment out of a swap: the recipient's token account, unless it exists, then the swap and the memo. */
export async function swappedPaymentInstructions(
  { amounts, from, memo, path, payer, to }: SvmSwappedPayment,
  { packages, pools }: Pick<SvmParts, "packages" | "pools">,
): Promise<readonly Instruction[]> {
  const { token } = packages;
  const [sold, bought] = [path[0], path.at(-1)];
  if (sold === undefined || bought === undefined) throw new Error("a swap without currencies");
  const [mint, owner] = [bought as Address, to as Address];
  const destination = await tokenAccountOf(owner, mint, packages);
  const source = await tokenAccountOf(from.address, sold as Address, packages);
  return [
    token.getCreateAssociatedTokenIdempotentInstruction({ ata: destination, mint, owner, payer }),
    swapInstruction({ amounts, destination, path, seller: from, source }, pools, packages),
    ...(memo === undefined ? [] : [memoInstruction(memo, packages)]),
  ];
}

async function tokenAccountOf(owner: Address, mint: Address, { token }: SvmPackages): Promise<Address> {
  const [address] = await token.findAssociatedTokenPda({
    mint,
    owner,
    tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
  });
  return address;
}

/** The instruction that writes a text into a transaction. */
export function memoInstruction(text: string, { kit }: Pick<SvmPackages, "kit">): Instruction {
  return { accounts: [], data: kit.getUtf8Encoder().encode(text), programAddress: memoProgram as Address };
}

export async function signSvmTransaction(
  instructions: readonly Instruction[],
  { blockhash, payer }: { readonly blockhash: string; readonly payer: KeyPairSigner },
  { kit }: Pick<SvmPackages, "kit">,
): Promise<Uint8Array> {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: noLastHeight };
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (empty) => kit.setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => kit.setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => kit.appendTransactionMessageInstructions(instructions, timed),
  );
  const signed = await kit.signTransactionMessageWithSigners(message).catch((cause: unknown) => {
    const code = kit.SOLANA_ERROR__TRANSACTION__INVOKED_PROGRAMS_MUST_NOT_BE_WRITABLE;
    if (!kit.isSolanaError(cause, code)) throw cause;
    throw new SvmTransactionInvalidError("it writes to a program that it calls", { cause });
  });
  return Uint8Array.from(kit.getTransactionEncoder().encode(signed));
}
