import {
  encodeAbiParameters,
  type Hex,
  hashMessage,
  keccak256,
  type LocalAccount,
  parseAbiParameters,
} from "viem";
import { readHex } from "../internal/readHex.ts";
import { readChainId, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { recordWord, type SignatureRecord } from "./SignatureRecord.ts";

const recordParameters = parseAbiParameters(
  "bytes32 requestId, uint256 originChainId, bytes32 originUser, bytes32 originCurrency, uint256 originAmount, uint256 destinationChainId, bytes32 destinationUser",
);

export type EncodeRecordParameters = { record: SignatureRecord };

export type EncodeRecordReturnType = Hex;

/**
 * ABI-encodes a record: seven words, 224 bytes.
 *
 * @returns The bytes to hash.
 * @throws {InvalidParameterError} For an invalid field, by name.
 *
 * @example
 * import { encodeRecord, type SignatureRecord } from "waybill";
 *
 * const record: SignatureRecord = {
 *   requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
 *   originChainId: 1,
 *   originUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
 *   originCurrency: "0x0000000000000000000000000000000000000000",
 *   originAmount: 700000000000000000n,
 *   destinationChainId: 7777777,
 *   destinationUser: "0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e",
 * };
 * encodeRecord({ record }).length; // 450: "0x" and two digits a byte
 */
export function encodeRecord({ record }: EncodeRecordParameters): EncodeRecordReturnType {
  readObject(record, "record");
  return encodeAbiParameters(recordParameters, [
    readHex(record.requestId, "record.requestId", 32),
    BigInt(readChainId(record.originChainId, "record.originChainId")),
    recordWord(record.originUser, "record.originUser"),
    recordWord(record.originCurrency, "record.originCurrency"),
    readUint256(record.originAmount, "record.originAmount"),
    BigInt(readChainId(record.destinationChainId, "record.destinationChainId")),
    recordWord(record.destinationUser, "record.destinationUser"),
  ]);
}

export type HashRecordParameters = EncodeRecordParameters;

export type HashRecordReturnType = {
  /** `keccak256(abi.encode(record))`. */
  readonly hash: Hex;
  /** The EIP-191 hash of `hash`, which the solver signs. */
  readonly digest: Hex;
};

/**
 * Computes both hashes of a record.
 *
 * @returns The inner hash and the signed digest.
 * @throws {InvalidParameterError} For an invalid field, by name.
 *
 * @example
 * import { hashRecord, type SignatureRecord } from "waybill";
 *
 * declare const record: SignatureRecord;
 * const { digest } = hashRecord({ record });
 */
export function hashRecord({ record }: HashRecordParameters): HashRecordReturnType {
  const hash = keccak256(encodeRecord({ record }));
  return { hash, digest: hashMessage({ raw: hash }) };
}

export type SignRecordParameters = {
  record: SignatureRecord;
  /** The solver's account, for example of `privateKeyToAccount`. */
  account: Pick<LocalAccount, "signMessage">;
};

export type SignRecordReturnType = Hex;

/**
 * Signs a record as a solver: an EIP-191 message over the record's hash.
 *
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
