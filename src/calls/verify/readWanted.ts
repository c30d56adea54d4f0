import type { Quote } from "../../schema/quote/quote.ts";
import type { QuoteRequest } from "../../schema/quote/quoteRequest.ts";
import type { Call } from "../Call.ts";
import { type ToCallParameters, toCall } from "../toCall.ts";

/** The parameters of `getQuote` that a proof reads. */
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
  readonly topupGas?: boolean | undefined;
};

/** Expected values of a quote. */
export type Wanted = {
  readonly user: string;
  readonly recipient: string;
  readonly refundTo: string | undefined;
  readonly originChainId: number;
  readonly destinationChainId: number;
  readonly originCurrency: string;
  readonly destinationCurrency: string;
  /** The user's payment, in smallest units. */
  readonly amountIn: bigint;
  /** Minimum output: the higher of the caller's bound and the quote's minimum. */
  readonly minimumOut: bigint;
  /** Undefined when the request is unknown. */
  readonly txs: readonly Call[] | undefined;
  readonly request: QuoteIntent | undefined;
};

/**
 * Reads the expected values from the request, or from the quote itself when the request is unknown.
 *
 * @param floor Minimum output of the caller.
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
