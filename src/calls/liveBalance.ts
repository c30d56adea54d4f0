import { type Address, zeroAddress } from "viem";
import { readAddress } from "../internal/readAddress.ts";

/**
 * Stands where an amount will be that is only known on the destination: the balance of the contract that makes the call,
 * read just before it does. Write it in place of a `uint256` argument.
 *
 * @example
 * import { balanceOf, LiveBalance } from "waybill";
 *
 * const assets = balanceOf("0x5FbDB2315678afecb367f032d93F642f64180aa3");
 * console.log(assets instanceof LiveBalance); // true
 */
export class LiveBalance {
  /** Whose balance; the zero address is the chain's native currency. */
  readonly token: Address;

  constructor(token: Address) {
    this.token = readAddress(token, "token");
  }
}

/**
 * The live balance of a token.
 *
 * @param token The token's address on the destination chain.
 * @returns A placeholder for a `uint256` argument of a proxy step.
 * @throws {InvalidParameterError} When it is not an address.
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
 * The live balance of the destination chain's native currency, in wei.
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

/** The arguments `T`, where every `uint256` may also be a live balance. */
export type WithLiveBalances<T> = T extends bigint
  ? T | LiveBalance
  : T extends string | number | boolean | undefined | null
    ? T
    : { readonly [K in keyof T]: WithLiveBalances<T[K]> };
