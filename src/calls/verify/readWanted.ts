import type { Quote } from "../../schema/quote.ts";
import type { QuoteRequest } from "../../schema/quoteRequest.ts";
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
  /** The least that must come out. */
  readonly minimumOut: bigint;
  /** Undefined where it is not known whether there are any. */
  readonly txs: readonly Call[] | undefined;
  readonly request: QuoteIntent | undefined;
};

/** What was asked for, or, where that is not known, what the quote says of itself. */
export function readWanted(quote: Quote, request: QuoteIntent | undefined): Wanted {
  const { currencyIn, currencyOut, recipient, sender } = quote.details;
  const amounts = {
    amountIn: BigInt(currencyIn.amount),
    minimumOut: BigInt(currencyOut.minimumAmount ?? currencyOut.amount),
    request,
  };
  if (request === undefined) {
    return {
      ...amounts,
      destinationChainId: currencyOut.currency.chainId,
      destinationCurrency: currencyOut.currency.address,
      originChainId: currencyIn.currency.chainId,
      originCurrency: currencyIn.currency.address,
      recipient,
      refundTo: undefined,
      txs: undefined,
      user: sender,
    };
  }
  return {
    ...amounts,
    destinationChainId: request.destinationChainId,
    destinationCurrency: request.destinationCurrency,
    originChainId: request.originChainId,
    originCurrency: request.originCurrency,
    recipient: request.recipient ?? request.user,
    refundTo: request.refundTo,
    txs: (request.txs ?? []).map((call, index) => toCall(call, `request.txs[${index}]`)),
    user: request.user,
  };
}
