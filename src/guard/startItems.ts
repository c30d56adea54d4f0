import { startProof } from "../calls/verify/proveQuote.ts";
import { findReadMismatches } from "../calls/verify/readChains.ts";
import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import { type QuoteMismatch, QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import { exchangeChainId } from "../perps/constants.ts";
import { nonceMappingTypedData } from "../perps/nonceMapping.ts";
import { sendAssetTypedData } from "../perps/sendAsset.ts";
import { proveWithdrawal } from "../perps/verifyWithdrawal.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import { type GuardItem, readItems, signatureItem } from "./GuardItem.ts";

/** Differences of a quote, and its items: proven ones, or those that the app may ask for. */
export type ProvenItems = {
  readonly differences: readonly QuoteMismatch[];
  readonly readItems: () => readonly GuardItem[];
};

export type StartItemsParameters = {
  readonly policy: QuotePolicy;
  readonly quote: Quote;
  readonly request: QuoteIntent;
};

/** Fixes request and bounds. Returns the function that proves the quote with its appended steps. */
export async function startItems({
  policy,
  quote,
  request,
}: StartItemsParameters): Promise<(appended: readonly Step[], now: number) => Promise<ProvenItems>> {
  if (request.originChainId === exchangeChainId) {
    return (_, now) => readWithdrawal({ policy: { ...policy, now }, quote, request });
  }
  const prove = await startProof({ ...policy, quote, request });
  return async (appended, now) => {
    const { found: differences, quote: proven } = await prove(appended, now);
    const given = { ...quote, steps: [...quote.steps, ...appended] };
    return { differences, readItems: () => readItems(given, proven, request) };
  };
}

/** The client signs for the wallet's chain, whichever it is: the chain of these domains does not affect the funds. */
async function readWithdrawal({ policy, quote, request }: StartItemsParameters): Promise<ProvenItems> {
  try {
    const parameters = { ...policy, quote, request };
    const withdrawal = await proveWithdrawal(parameters, (terms) => findReadMismatches(terms, undefined));
    const { authorize, deposit, nonce, wallet } = withdrawal;
    const chainIds =
      policy.trust?.chains.map(({ chainId }) => chainId).filter((id) => id !== exchangeChainId) ?? [];
    const mappings = chainIds.map((chainId) =>
      nonceMappingTypedData({ ...authorize.mapping, chainId, nonce }),
    );
    const transfers = chainIds.map((chainId) =>
      sendAssetTypedData({ chainId, parameters: deposit.parameters }),
    );
    return {
      differences: [],
      readItems: () => [signatureItem(wallet, mappings), signatureItem(wallet, transfers)],
    };
  } catch (error) {
    if (!(error instanceof QuoteMismatchError)) throw error;
    return { differences: error.mismatches, readItems: () => [] };
  }
}
