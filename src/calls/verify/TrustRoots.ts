import type { Address } from "viem";

/** A router and the approval proxy that brings tokens to it. */
export type TrustedRouter = {
  readonly version: "v2.1" | "v3";
  readonly router: Address;
  readonly approvalProxy: Address;
};

/** The contracts of one chain, each in one role. A role that is left out has no contract: payments that need it are refused. */
export type TrustedChain = {
  readonly chainId: number;
  /** The protocol's name of the chain, as orders write it. */
  readonly name: string;
  /** Default `evm`. Only an EVM chain can be the origin. */
  readonly vmType?: string | undefined;
  /** Where deposits for orders go. */
  readonly depository?: Address | undefined;
  /** Forwards native currency to the solver, for payments under a request id. */
  readonly relayReceiver?: Address | undefined;
  readonly routers: readonly TrustedRouter[];
  readonly permit2?: Address | undefined;
  readonly wrappedNative?: Address | undefined;
  /** `OutputGuard` of Waybill. Name it only where it is deployed: a call to an account without code succeeds. */
  readonly outputGuard?: Address | undefined;
  /** What a swap may turn the input into before the deposit, besides native currency. Refunds are paid in it. */
  readonly depositCurrencies?: readonly Address[] | undefined;
};

/** What a proof stands on. It must not come from the API whose quotes are proven. */
export type TrustRoots = {
  readonly chains: readonly TrustedChain[];
  /** Whose signatures of orders and records count, on every chain. */
  readonly solvers: readonly Address[];
};
