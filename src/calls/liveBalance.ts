import { type Address, zeroAddress } from "viem";
import { readAddress } from "../internal/readAddress.ts";

/**
 * Placeholder for a `uint256` argument. The proxy replaces it with its own balance just before the call.
 *
 * @example
 * import { balanceOf, LiveBalance } from "waybill";
 *
 * const assets = balanceOf("0x5FbDB2315678afecb367f032d93F642f64180aa3");
 * console.log(assets instanceof LiveBalance); // true
 */
export class LiveBalance {
  /** The zero address is the native currency. */
  readonly token: Address;

  constructor(token: Address) {
    this.token = readAddress(token, "token");
  }
}

/**
 * Creates a placeholder for the live balance of a token.
 *
 * @param token The token's address on the destination chain.
 * @returns A placeholder for a `uint256` argument of a proxy step.
 * @throws {InvalidParameterError} When `token` is not an address.
 *
 * @example
 * import { balanceOf } from "waybill";
 *
 * const assets = balanceOf("0x5FbDB2315678afecb367f032d93F642f64180aa3");
 */
export function balanceOf(token: Address): LiveBalance {
  return new LiveBalance(token);
}

/**
 * Creates a placeholder for the live native balance, in wei.
 *
 * @returns A placeholder for a `uint256` argument of a proxy step.
 *
 * @example
 * import { nativeBalance } from "waybill";
 *
 * const wei = nativeBalance();
 */
export function nativeBalance(): LiveBalance {
  return new LiveBalance(zeroAddress);
}

/** The arguments `T` with {@link LiveBalance} allowed for every `uint256`. */
export type WithLiveBalances<T> = T extends bigint
  ? T | LiveBalance
  : T extends string | number | boolean | undefined | null
    ? T
    : { readonly [K in keyof T]: WithLiveBalances<T[K]> };
