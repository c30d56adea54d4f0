import { decodeSvmAddress, encodeSvmAddress, isSvmAddress } from "../../src/svm/address.ts";

const svmAccount = /^0x[0-9a-f]{64}$/;

const zeroAccount = /^0x0+$/;

/** Whether an account is the zero address, or the address of the SVM chain's system program. */
export function isZeroAccount(account: string): boolean {
  return zeroAccount.test(account);
}

/** The text of a stored account: base58 for the 32 bytes of an SVM chain, else the hexadecimal itself. */
export function accountText(account: string): string {
  return svmAccount.test(account) ? encodeSvmAddress({ bytes: account as `0x${string}` }) : account;
}

/** The stored form of an address: the 32 bytes of one of an SVM chain, whose letter case matters; else lower case. */
export function storedAccount(text: string): string {
  // Most are of EVM chains, and finding that out by an error would cost more than all else that is read of a quote's intent.
  const isSvm = !text.startsWith("0x") && isSvmAddress({ address: text });
  return isSvm ? decodeSvmAddress({ address: text }) : text.toLowerCase();
}

/** The text of a stored account that may be missing. */
export function textOrNull(account: string | null | undefined): string | null {
  return account == null ? null : accountText(account);
}
