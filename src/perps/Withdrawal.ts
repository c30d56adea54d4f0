import type { Address, Hex } from "viem";
import type { SendAssetParameters } from "../schema/quote/exchangeAction.ts";
import type { NonceMapping } from "./nonceMapping.ts";

/** A withdrawal from the exchange, as `readWithdrawal` found it in a quote: two signatures with one nonce. */
export type Withdrawal = {
  /** What is signed first, and where its signature goes. */
  readonly authorize: {
    /** Path of the service, such as `/authorize`. */
    readonly endpoint: string;
    readonly mapping: Required<NonceMapping>;
  };
  /** The chain of both signatures' domains. */
  readonly chainId: number;
  /** What is signed second and goes to the exchange. */
  readonly deposit: { readonly parameters: SendAssetParameters };
  readonly nonce: bigint;
  readonly orderId: Hex;
  /** The account on the exchange, which signs both. */
  readonly wallet: Address;
};
