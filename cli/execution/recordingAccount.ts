import { type Hex, keccak256, type LocalAccount, type TransactionSerializable } from "viem";

/** A signed transaction before its broadcast. */
export type SignedTransaction = { readonly hash: Hex; readonly nonce: number; readonly raw: Hex };

export type RecordingHooks = {
  /** Its error keeps the transaction from being signed. */
  readonly assertSigns: (transaction: TransactionSerializable) => void;
  /** Saves the transaction; its error keeps the transaction from being sent. */
  readonly onSigned: (signed: SignedTransaction) => void;
};

/**
 * Wraps an account so that each transaction is checked before its signature, and saved before the wallet can broadcast it. A
 * run that is killed between the two leaves its signed transaction behind: the next run sends the same bytes, and never signs
 * a second payment.
 */
export function recordingAccount(
  account: LocalAccount,
  { assertSigns, onSigned }: RecordingHooks,
): LocalAccount {
  return {
    ...account,
    signTransaction: async (transaction, options) => {
      assertSigns(transaction);
      const raw = await account.signTransaction(transaction, options);
      const { nonce } = transaction as { readonly nonce?: number };
      if (nonce === undefined) throw new Error("a transaction without a nonce");
      onSigned({ hash: keccak256(raw as Hex), nonce, raw: raw as Hex });
      return raw;
    },
  };
}
