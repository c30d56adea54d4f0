import { type Hex, isAddressEqual, parseTransaction, type TransactionSerialized } from "viem";

/** Signed bytes that left the victim's process. `isForeign`: of another app, without lies. */
export type Sent = { readonly hash: Hex; readonly raw: Hex; readonly isForeign?: true };

/** The fields of signed bytes. */
export type SignedTransaction = Partial<ReturnType<typeof parseTransaction>>;

/** Parses signed bytes; what viem rejects, such as a transaction with blobs, has no fields. */
export function readSent(raw: Hex): SignedTransaction {
  try {
    return parseTransaction(raw as TransactionSerialized);
  } catch {
    return {};
  }
}

/** A transaction that a run was about to send. */
export type Call = {
  readonly data?: string | undefined;
  readonly to: `0x${string}`;
  readonly value?: string | undefined;
};

/** Whether signed bytes are those of a call. */
export function isCall({ raw }: Sent, { data = "0x", to, value = "0" }: Call): boolean {
  const sent = readSent(raw);
  const isSame = (sent.data ?? "0x") === data.toLowerCase() && (sent.value ?? 0n) === BigInt(value);
  return isSame && sent.to != null && isAddressEqual(sent.to, to);
}
