import { encodeSvmAddress } from "../../src/svm/address.ts";

const svmAccount = /^0x[0-9a-f]{64}$/;

/** The text of a stored account: base58 for the 32 bytes of an SVM chain, else the hexadecimal itself. */
export function accountText(account: string): string {
  return svmAccount.test(account) ? encodeSvmAddress({ bytes: account as `0x${string}` }) : account;
}
