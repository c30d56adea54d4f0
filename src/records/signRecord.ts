import type { Hex, LocalAccount } from "viem";
import { hashRecord } from "./hashRecord.ts";
import type { SignatureRecord } from "./SignatureRecord.ts";

export type SignRecordParameters = {
  record: SignatureRecord;
  /** The solver's account, for example of `privateKeyToAccount`. */
  account: Pick<LocalAccount, "signMessage">;
};

export type SignRecordReturnType = Hex;

/**
 * Signs a record as a solver: an EIP-191 message over the record's hash.
 *
 * @param parameters The record and the solver's account.
 * @returns 65 bytes, low `s`.
 * @throws {InvalidParameterError} For an invalid field, by name.
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { signRecord, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * const account = mnemonicToAccount("test test test test test test test test test test test junk");
 * const signature = await signRecord({ account, record });
 */
export async function signRecord({ record, account }: SignRecordParameters): Promise<SignRecordReturnType> {
  return account.signMessage({ message: { raw: hashRecord({ record }).hash } });
}
