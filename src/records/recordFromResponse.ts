import type { Address, Hex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readObject, readText } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import type { SignatureRecord } from "./SignatureRecord.ts";

export type RecordFromResponseParameters = {
  /** The queried request id, which the response does not repeat. */
  requestId: Hex;
  /** `requestData` of `GET /requests/{requestId}/signature`, in wire format. */
  requestData: {
    readonly originChainId: number;
    readonly originUser: string;
    readonly originCurrency: string;
    /** Decimal string, smallest unit. */
    readonly originAmount: string;
    readonly destinationChainId: number;
    readonly destinationUser: string;
  };
};

export type RecordFromResponseReturnType = SignatureRecord;

/**
 * Combines the service's response and the queried id into the signed record.
 *
 * @param parameters The request's id and the response's `requestData`.
 * @returns The record.
 * @throws {InvalidParameterError} Unless `requestData` is an object with a decimal amount.
 *
 * @example
 * import { recordFromResponse, verifyRecord } from "waybill";
 * import { createClient, getSignature } from "waybill/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:4000" });
 * declare const requestId: `0x${string}`;
 * const { requestData } = await getSignature(client, { requestId });
 * const record = recordFromResponse({ requestData, requestId });
 */
export function recordFromResponse(parameters: RecordFromResponseParameters): RecordFromResponseReturnType {
  const { requestId, requestData } = parameters;
  readObject(requestData, "requestData");
  const parameter = "requestData.originAmount";
  const amount = readText(requestData.originAmount, parameter);
  // A uint256 has at most 78 digits; parsing far longer numbers is slow.
  if (!/^\d{1,78}$/.test(amount)) {
    throw new InvalidParameterError({ parameter, reason: `"${show(amount)}" is not a decimal string` });
  }
  return {
    destinationChainId: requestData.destinationChainId,
    destinationUser: requestData.destinationUser as Address | Hex,
    originAmount: BigInt(amount),
    originChainId: requestData.originChainId,
    originCurrency: requestData.originCurrency as Address | Hex,
    originUser: requestData.originUser as Address | Hex,
    requestId,
  };
}
