import type { Quote } from "../../schema/quote/quote.ts";
import type { QuoteRequest } from "../../schema/quote/quoteRequest.ts";
import type { Call } from "../Call.ts";
import { type ToCallParameters, toCall } from "../toCall.ts";

/** What was asked for: the parameters of `getQuote`, of which these are looked at. */
export type QuoteIntent = Pick<
  QuoteRequest,
  | "user"
  | "recipient"
  | "originChainId"
  | "destinationChainId"
  | "originCurrency"
  | "destinationCurrency"
  | "tradeType"
> & {
  readonly amount: bigint | string;
  readonly txs?: readonly ToCallParameters[] | undefined;
  readonly refundTo?: string | undefined;
  readonly slippageTolerance?: string | undefined;
  readonly includeProtocolData?: boolean | undefined;
  readonly permitExpiry?: number | undefined;
  readonly ttl?: number | undefined;
  readonly usePermit?: boolean | undefined;
  readonly explicitDeposit?: boolean | undefined;
};

/** What a quote is compared with. */
export type Wanted = {
  readonly user: string;
  readonly recipient: string;
  readonly refundTo: string | undefined;
  readonly originChainId: number;
  readonly destinationChainId: number;
  readonly originCurrency: string;
  readonly destinationCurrency: string;
  /** What the user pays. */
  readonly amountIn: bigint;
  /** The least that must come out: the caller's figure, or the quote's where that is higher. */
  readonly minimumOut: bigint;
  /** Undefined where it is not known whether there are any. */
  readonly txs: readonly Call[] | undefined;
  readonly request: QuoteIntent | undefined;
};

/**
 * What was asked for, or, where that is not known, what the quote says of itself.
 *
 * @param floor The least output that the caller accepts.
 */
export function readWanted(quote: Quote, request: QuoteIntent | undefined, floor: bigint): Wanted {
  const { currencyIn, currencyOut, recipient, sender } = quote.details;
  const quoted = BigInt(currencyOut.minimumAmount ?? currencyOut.amount);
  const minimumOut = floor > quoted ? floor : quoted;
  if (request === undefined) {
    return {
      amountIn: BigInt(currencyIn.amount),
      destinationChainId: currencyOut.currency.chainId,
      destinationCurrency: currencyOut.currency.address,
      minimumOut,
      originChainId: currencyIn.currency.chainId,
      originCurrency: currencyIn.currency.address,
      recipient,
      refundTo: undefined,
      request,
      txs: undefined,
      user: sender,
    };
  }
  const isFixedInput = request.tradeType === "EXACT_INPUT";
  return {
    amountIn: BigInt(isFixedInput ? request.amount : currencyIn.amount),
    destinationChainId: request.destinationChainId,
    destinationCurrency: request.destinationCurrency,
    minimumOut,
    originChainId: request.originChainId,
    originCurrency: request.originCurrency,
    recipient: request.recipient ?? request.user,
    refundTo: request.refundTo,
    request,
    txs: (request.txs ?? []).map((call, index) => toCall(call, `request.txs[${index}]`)),
    user: request.user,
  };
}
