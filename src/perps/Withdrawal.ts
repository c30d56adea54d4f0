import type { Address, Hex } from "viem";
import type { SendAssetParameters } from "../schema/quote/exchangeAction.ts";
import type { NonceMapping } from "./nonceMapping.ts";

/** A withdrawal from the exchange, proven by `verifyWithdrawal`: two signatures with one nonce. */
export type Withdrawal = {
  /** First data to sign, and the endpoint of its signature. */
  readonly authorize: {
    /** Path of the service, such as `/authorize`. */
    readonly endpoint: string;
    readonly mapping: Required<NonceMapping>;
  };
  /** Chain id of both signature domains. */
  readonly chainId: number;
  /** Second data to sign, for the exchange. */
  readonly deposit: { readonly parameters: SendAssetParameters };
  readonly nonce: bigint;
  readonly orderId: Hex;
  /** Account on the exchange, which signs both. */
  readonly wallet: Address;
};
