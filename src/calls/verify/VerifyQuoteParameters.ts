import type { Hex } from "viem";
import type { Quote } from "../../schema/quote/quote.ts";
import type { TradeType } from "../../schema/quote/tradeType.ts";
import type { ChainClient } from "../callChain.ts";
import type { QuoteSimulator } from "./OutputClaim.ts";
import type { QuoteIntent } from "./readWanted.ts";
import type { TrustRoots } from "./TrustRoots.ts";

/** A question to the caller's price source, about the side that the request leaves open. */
export type PriceQuestion = {
  /** Amount of the fixed side, in smallest units. */
  readonly amount: bigint;
  /** The side to price. */
  readonly side: "input" | "output";
  readonly tradeType: TradeType;
  readonly originChainId: number;
  readonly originCurrency: string;
  readonly destinationChainId: number;
  readonly destinationCurrency: string;
};

/** The solver's signature of a request's record, from `getSignature`. The record is rebuilt from the request. */
export type SignedRecord = { readonly signature: Hex };

/** Bounds of a quote, in smallest units. A request with a fixed input needs a minimum output; others need a maximum input. */
export type QuoteBounds = {
  /** Minimum output. */
  readonly minimumOutput?: bigint | undefined;
  /** Maximum input. */
  readonly maximumInput?: bigint | undefined;
  /**
   * Returns the fair amount of the open side. The bound adds the request's `slippageTolerance`, or 200 basis points.
   * Called once for each proof.
   */
  readonly price?: ((question: PriceQuestion) => bigint | Promise<bigint>) | undefined;
  /** Accepts any price. */
  readonly bounds?: "none" | undefined;
};

/** Policy of the caller, independent of the quote. */
export type QuotePolicy = QuoteBounds & {
  /** Default `productionTrust`. */
  readonly trust?: TrustRoots | undefined;
  /** Accepts payments under a request id. The solver signs their recipient and chain, but not the amount. Default: false. */
  readonly allowUnsignedOutput?: boolean | undefined;
  /** Accepts routes whose output only `simulate` checks, when no guard can follow the calls. Default: false. */
  readonly allowSimulatedOutput?: boolean | undefined;
  /** `quoteSimulator` with your own node. */
  readonly simulate?: QuoteSimulator | undefined;
  /** Maximum gas of a step. Default: 10,000,000. */
  readonly maximumGas?: bigint | undefined;
  /** Maximum fee of a transaction in wei: gas limit times the highest gas price. Default: 0.1 native, 10^17. */
  readonly maximumFee?: bigint | undefined;
  /** Maximum of the request's `slippageTolerance`, in basis points. Default: 1,000. */
  readonly maximumSlippage?: number | undefined;
  /** Maximum seconds that an order stays open, whatever `ttl` the request has. Default: its `ttl`, or seven days. */
  readonly maximumFillSeconds?: number | undefined;
  /** Maximum validity of a permit in seconds, whatever `permitExpiry` the request has. Default: that, or one hour. */
  readonly maximumPermitSeconds?: number | undefined;
  /** Maximum allowance for Permit2. Default: the payment's amount. */
  readonly maximumAllowance?: bigint | undefined;
  /** Reads the origin chain. Use your own node. */
  readonly reader?: ChainClient | undefined;
  /** Reads the destination chain, to compare the output's symbol and decimals with the token's. */
  readonly destinationReader?: ChainClient | undefined;
  /** The solver's signature of the record, for `allowUnsignedOutput`. `execute` fetches it. */
  readonly record?: SignedRecord | undefined;
  /** Unix milliseconds. Default the present. */
  readonly now?: number | undefined;
};

/** Parameters of `verifyQuote`. */
export type VerifyQuoteParameters = QuotePolicy & {
  readonly quote: Quote;
  /** Parameters of `getQuote`. Without them, the proof only finds contradictions within the quote. */
  readonly request?: QuoteIntent | undefined;
};
