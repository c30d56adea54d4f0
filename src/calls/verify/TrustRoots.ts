import type { Address } from "viem";

/** A router and its approval proxy. */
export type TrustedRouter = {
  readonly version: "v2.1" | "v3";
  readonly router: Address;
  readonly approvalProxy: Address;
};

/** The contracts of one chain, by role. Payments that need a missing role are rejected. */
export type TrustedChain = {
  readonly chainId: number;
  /** The chain's name in orders. */
  readonly name: string;
  /** Default `evm`. Only an EVM chain can be the origin. */
  readonly vmType?: string | undefined;
  /** Receives deposits for orders. */
  readonly depository?: Address | undefined;
  /** Forwards native payments under a request id to the solver. */
  readonly relayReceiver?: Address | undefined;
  readonly routers: readonly TrustedRouter[];
  readonly permit2?: Address | undefined;
  readonly wrappedNative?: Address | undefined;
  /** Waybill's `OutputGuard`. Set it only on chains where it is deployed: a call to an account without code succeeds. */
  readonly outputGuard?: Address | undefined;
  /** Currencies that a swap may produce for the deposit, besides native currency. Refunds are paid in the deposited one. */
  readonly depositCurrencies?: readonly Address[] | undefined;
};

/** Trust anchors of a proof. They must not come from the API that quotes. */
export type TrustRoots = {
  readonly chains: readonly TrustedChain[];
  /** Trusted signers of orders and records, on every chain. */
  readonly solvers: readonly Address[];
};
