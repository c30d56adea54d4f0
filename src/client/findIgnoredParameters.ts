import { readObject } from "../internal/readParts.ts";
import { type Quote, quoteSchema } from "../schema/quote/quote.ts";
import { quoteRequestSchema } from "../schema/quote/quoteRequest.ts";
import { readBy } from "../schema/wire/readBy.ts";
import type { GetQuoteParameters } from "./getQuote.ts";
import { toQuoteRequest } from "./internal/toQuoteRequest.ts";

export type FindIgnoredParametersParameters = {
  /** The quote. Without it, only the parameters are checked. */
  quote?: Quote | undefined;
  /** Parameters of `getQuote`. */
  request: GetQuoteParameters;
};

/** A parameter that the service may ignore silently. */
export type IgnoredParameter = {
  /**
   * - `APP_FEES`: the request has app fees, but the quote collects none.
   * - `SPONSORSHIP`: the request sponsors fees, but the quote sponsors none.
   * - `SPONSORSHIP_CAP`: at a deposit address a cap sponsors all or nothing.
   */
  readonly code: "APP_FEES" | "SPONSORSHIP" | "SPONSORSHIP_CAP";
  /** The finding and its remedy. */
  readonly message: string;
  /** Parameter of `getQuote`. */
  readonly parameter: string;
};

export type FindIgnoredParametersReturnType = readonly IgnoredParameter[];

/**
 * Finds parameters of a quote request that the service ignores without an error. They concern the app's money, not the
 * user's, so `verifyQuote` does not reject such quotes.
 *
 * @throws InvalidParameterError for an invalid argument, by name.
 *
 * @example
 * import { createClient, findIgnoredParameters, getQuote, type GetQuoteParameters, production } from "waybill/client";
 *
 * const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const native = "0x0000000000000000000000000000000000000000";
 * const request: GetQuoteParameters = {
 *   amount: 10n ** 16n,
 *   appFees: [{ fee: "100", recipient: user }],
 *   destinationChainId: 10,
 *   destinationCurrency: native,
 *   originChainId: 8453,
 *   originCurrency: native,
 *   tradeType: "EXACT_INPUT",
 *   user,
 * };
 * const quote = await getQuote(createClient(production), request);
 * console.log(findIgnoredParameters({ quote, request })); // []
 */
export function findIgnoredParameters(
  parameters: FindIgnoredParametersParameters,
): FindIgnoredParametersReturnType {
  const quote = parameters.quote === undefined ? undefined : readBy(quoteSchema, parameters.quote, "quote");
  readObject(parameters.request, "request");
  const { retryCount: _count, signal: _signal, timeout: _timeout, ...fields } = parameters.request;
  const asked = toQuoteRequest(quoteRequestSchema, fields);
  const found: IgnoredParameter[] = [];
  const wantsAppFees = asked.appFees?.some(({ fee }) => BigInt(fee) > 0n) === true;
  if (quote !== undefined && wantsAppFees && isNothing(quote.fees.app?.amount)) {
    const message = "The quote collects no app fee. This kind of request may have none: earn in another way.";
    found.push({ code: "APP_FEES", message, parameter: "appFees" });
  }
  if (quote !== undefined && asked.subsidizeFees === true && isNothing(quote.fees.subsidized?.amount)) {
    const message = "The quote sponsors no fee. Look at the sponsor's balance, and at what may be sponsored.";
    found.push({ code: "SPONSORSHIP", message, parameter: "subsidizeFees" });
  }
  if (asked.useDepositAddress === true && asked.maxSubsidizationAmount !== undefined) {
    const message =
      "At a deposit address, fees above the cap are not sponsored at all. Raise it, or leave it out.";
    found.push({ code: "SPONSORSHIP_CAP", message, parameter: "maxSubsidizationAmount" });
  }
  return found;
}

function isNothing(amount: string | null | undefined): boolean {
  return amount === undefined || amount === null || BigInt(amount) === 0n;
}
