import { encodeAbiParameters, type Hex, isHex, maxUint256, parseAbiParameters, size } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { recordWord, type SignatureRecord } from "./SignatureRecord.ts";

const recordParameters = parseAbiParameters(
  "bytes32 requestId, uint256 originChainId, bytes32 originUser, bytes32 originCurrency, uint256 originAmount, uint256 destinationChainId, bytes32 destinationUser",
);

export type EncodeRecordParameters = { record: SignatureRecord };
export type EncodeRecordReturnType = Hex;
export type EncodeRecordErrorType = InvalidParameterError;

/**
 * ABI-encodes a record: seven words, 224 bytes.
 *
 * @param parameters The record.
 * @returns What is hashed.
 * @throws {InvalidParameterError} Naming the field that does not fit.
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
  if (!isHex(record.requestId) || size(record.requestId) !== 32) {
    throw new InvalidParameterError({ parameter: "record.requestId", reason: "it is not 32 bytes of hex" });
  }
  assertChainId(record.originChainId, "record.originChainId");
  assertChainId(record.destinationChainId, "record.destinationChainId");
  if (typeof record.originAmount !== "bigint" || record.originAmount < 0n || record.originAmount > maxUint256) {
    throw new InvalidParameterError({ parameter: "record.originAmount", reason: "it is not a uint256" });
  }
  return encodeAbiParameters(recordParameters, [
    record.requestId,
    BigInt(record.originChainId),
    recordWord(record.originUser, "record.originUser"),
    recordWord(record.originCurrency, "record.originCurrency"),
    record.originAmount,
    BigInt(record.destinationChainId),
    recordWord(record.destinationUser, "record.destinationUser"),
  ]);
}

function assertChainId(chainId: number, parameter: string): void {
  if (!Number.isSafeInteger(chainId) || chainId <= 0) {
    throw new InvalidParameterError({ parameter, reason: `"${chainId}" is not a positive safe integer` });
  }
}
