import { type Address, type Hex, pad, size } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readHex } from "../internal/readHex.ts";

/**
 * The solver's signed record of a payment, version 1 (specification, "GET /requests/{requestId}/signature").
 *
 * These seven fields are all that is signed. There is no deadline, no nonce, no verifying contract, no destination
 * currency, no minimum output and no hash of the calls.
 */
export type SignatureRecord = {
  /** The service's id of the request, 32 bytes. */
  readonly requestId: Hex;
  /** Chain the payment is made on. */
  readonly originChainId: number;
  /** The `user` of the quote: an EVM address, or 32 bytes for another VM. */
  readonly originUser: Address | Hex;
  /** Currency paid in; the zero address is the native one. */
  readonly originCurrency: Address | Hex;
  /** Amount paid, in the currency's smallest unit. */
  readonly originAmount: bigint;
  /** Chain the fill happens on. */
  readonly destinationChainId: number;
  /** The `recipient` of the quote: an EVM address, or 32 bytes for another VM. */
  readonly destinationUser: Address | Hex;
};

/**
 * An address as records carry it: EVM addresses are LEFT-padded with zeros, 32-byte addresses stay as they are.
 *
 * @param address 20 or 32 bytes.
 * @param parameter How an error names the argument.
 * @returns 32 bytes.
 * @throws {InvalidParameterError} When it is neither 20 nor 32 bytes of hex.
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
  return pad(address.toLowerCase() as Hex, { dir: "left", size: 32 });
}
