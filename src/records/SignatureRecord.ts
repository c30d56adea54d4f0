import { type Address, type Hex, pad, size } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readHex } from "../internal/readHex.ts";
import { readObject, readText } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";

/**
 * The solver's signed record of a payment, version 1 (specification, "GET /requests/{requestId}/signature").
 *
 * The signature covers these seven fields only: no deadline, nonce, verifying contract, destination currency, minimum
 * output or hash of the calls.
 */
export type SignatureRecord = {
  /** The service's id of the request, 32 bytes. */
  readonly requestId: Hex;
  /** Chain of the payment. */
  readonly originChainId: number;
  /** The `user` of the quote: an EVM address, or 32 bytes for another VM. */
  readonly originUser: Address | Hex;
  /** Paid currency; the zero address is the native one. */
  readonly originCurrency: Address | Hex;
  /** Paid amount, in the currency's smallest unit. */
  readonly originAmount: bigint;
  /** Chain of the fill. */
  readonly destinationChainId: number;
  /** The `recipient` of the quote: an EVM address, or 32 bytes for another VM. */
  readonly destinationUser: Address | Hex;
};

/**
 * Encodes an address for a record: left-pads EVM addresses with zeros, returns 32-byte addresses unchanged.
 *
 * @param address 20 or 32 bytes.
 * @param parameter Name for the error.
 * @returns 32 bytes.
 * @throws {InvalidParameterError} Unless it is 20 or 32 bytes of hex.
 *
 * @example
 * import { recordWord } from "waybill";
 *
 * recordWord("0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e");
 * // "0x000000000000000000000000f3d63166f0ca56c3c1a3508fce03ff0cf3fb691e"
 */
export function recordWord(address: Hex, parameter = "address"): Hex {
  const bytes = size(readHex(address, parameter));
  if (bytes !== 20 && bytes !== 32) {
    throw new InvalidParameterError({ parameter, reason: `it has ${bytes} bytes instead of 20 or 32` });
  }
  return pad(address.toLowerCase() as Hex);
}

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
