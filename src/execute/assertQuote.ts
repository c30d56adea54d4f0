import type { QuoteIntent } from "../calls/verify/readWanted.ts";
import type { QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import { type VerifyQuoteErrorType, verifyQuote } from "../calls/verifyQuote.ts";
import type { Client } from "../client/createClient.ts";
import { type GetChainsErrorType, getChains } from "../client/getChains.ts";
import type { Quote } from "../schema/quote.ts";

/** Those of `execute` that the proof is about. */
export type AssertQuoteParameters = {
  quote: Quote;
  request?: QuoteIntent | undefined;
  signal?: AbortSignal | undefined;
  verify?: QuotePolicy | false | undefined;
};

/** What {@link assertQuote} throws. */
export type AssertQuoteErrorType = GetChainsErrorType | VerifyQuoteErrorType;

/**
 * Proves a quote before it is executed. Chains that the service names cannot be better than the service: whoever must not
 * trust it gives them.
 *
 * @throws AssertQuoteErrorType
 *
 * @example
 * await assertQuote(client, { quote, request });
 */
export async function assertQuote(client: Client, parameters: AssertQuoteParameters): Promise<void> {
  const { quote, request, signal } = parameters;
  const verify = parameters.verify || {};
  const isEnough = request === undefined || verify.chains !== undefined || verify.contracts !== undefined;
  const { chains } = isEnough ? verify : await getChains(client, { signal });
  await verifyQuote({ now: client.now(), ...verify, chains, quote, request });
}
