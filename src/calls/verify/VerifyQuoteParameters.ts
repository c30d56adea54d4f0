import type { Hex } from "viem";
import type { Quote } from "../../schema/quote/quote.ts";
import type { TradeType } from "../../schema/quote/tradeType.ts";
import type { ChainClient } from "../callChain.ts";
import type { QuoteSimulator } from "./OutputClaim.ts";
import type { QuoteIntent } from "./readWanted.ts";
import type { TrustRoots } from "./TrustRoots.ts";

/** Question to the caller's price: the side that the request leaves open. */
export type PriceQuestion = {
  /** Of the fixed side, in smallest units. */
  readonly amount: bigint;
  /** What is to be answered. */
  readonly side: "input" | "output";
  readonly tradeType: TradeType;
  readonly originChainId: number;
  readonly originCurrency: string;
  readonly destinationChainId: number;
  readonly destinationCurrency: string;
};

/** The solver's signature of a request's record, as `getSignature` returns it; the record itself is made of the request. */
export type SignedRecord = { readonly signature: Hex };

/** What a quote may cost and must bring, in smallest units. A request with a fixed input needs a least output, others a most input. */
export type QuoteBounds = {
  /** The least that must come out. */
  readonly minimumOutput?: bigint | undefined;
  /** The most that may be paid. */
  readonly maximumInput?: bigint | undefined;
  /**
   * What a fair quote gives or takes. The request's `slippageTolerance`, or 200 basis points, is allowed on top. Asked once
   * for each proof.
   */
  readonly price?: ((question: PriceQuestion) => bigint | Promise<bigint>) | undefined;
  /** Takes whatever price the quote names. */
  readonly bounds?: "none" | undefined;
};

/** What is known to be right, whatever a quote says. */
export type QuotePolicy = QuoteBounds & {
  /** Default `productionTrust`. */
  readonly trust?: TrustRoots | undefined;
  /** Takes payments under a request id, of which the solver signs who is paid on which chain and not how much. Default false. */
  readonly allowUnsignedOutput?: boolean | undefined;
  /** Takes routes whose output is only simulated, by `simulate`, where no guard can follow the calls. Default false. */
  readonly allowSimulatedOutput?: boolean | undefined;
  /** `quoteSimulator` of a node of your own. */
  readonly simulate?: QuoteSimulator | undefined;
  /** The most gas that a step may name. Default 10,000,000. */
  readonly maximumGas?: bigint | undefined;
  /** Seconds that an order may stay open, where the request names no `ttl`. Default seven days. */
  readonly maximumFillSeconds?: number | undefined;
  /** Seconds that a permit may be used for, where the request names no `permitExpiry`. Default one hour. */
  readonly maximumPermitSeconds?: number | undefined;
  /** The most that Permit2 may be approved for. Default what is paid. */
  readonly maximumAllowance?: bigint | undefined;
  /** Reads the origin chain: a node of your own. */
  readonly reader?: ChainClient | undefined;
  /** Reads the destination chain: symbols and decimals of what comes out are then compared with the token. */
  readonly destinationReader?: ChainClient | undefined;
  /** The solver's record of the request, for `allowUnsignedOutput`; `execute` asks for it by itself. */
  readonly record?: SignedRecord | undefined;
  /** Unix milliseconds. Default the present. */
  readonly now?: number | undefined;
};

/** Parameters of `verifyQuote`. */
export type VerifyQuoteParameters = QuotePolicy & {
  readonly quote: Quote;
  /** What was given to `getQuote`. Without it, the quote is only looked through for contradictions. */
  readonly request?: QuoteIntent | undefined;
};
