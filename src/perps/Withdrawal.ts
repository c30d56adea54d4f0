import type { Address, Hex } from "viem";
import type { SendAssetParameters } from "../schema/quote/exchangeAction.ts";
import type { NonceMapping } from "./nonceMapping.ts";

/** A withdrawal as a quote describes it: two signatures with one nonce. */
export type UnprovenWithdrawal = {
  /** First data to sign, and the endpoint of its signature. */
  readonly authorize: {
    /** Path of the service, such as `/authorize`. */
    readonly endpoint: string;
    readonly mapping: Readonly<Required<NonceMapping>>;
  };
  /** Chain id of both signature domains. */
  readonly chainId: number;
  /** Second data to sign, for the exchange. */
  readonly deposit: { readonly parameters: Readonly<SendAssetParameters> };
  readonly nonce: bigint;
  readonly orderId: Hex;
  /** Account on the exchange, which signs both. */
  readonly wallet: Address;
};

declare const proof: unique symbol;

/** A withdrawal proven by `verifyWithdrawal`, which alone makes one. It cannot be changed, and a copy is not proven. */
export type Withdrawal = UnprovenWithdrawal & { readonly [proof]: true };

const proven = new WeakSet<object>();

/** Marks a withdrawal as proven, and freezes what `signWithdrawal` signs. */
export function markProven(withdrawal: UnprovenWithdrawal): Withdrawal {
  const { authorize, deposit } = withdrawal;
  for (const part of [withdrawal, authorize, authorize.mapping, deposit, deposit.parameters])
    Object.freeze(part);
  proven.add(withdrawal);
  return withdrawal as Withdrawal;
}

/** Whether `verifyWithdrawal` returned this very object. */
export function isProven(withdrawal: object): boolean {
  return proven.has(withdrawal);
}
