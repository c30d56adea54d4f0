import type { Signer } from "ethers";
import {
  type Client,
  type GetQuoteParameters,
  getQuote,
  type Quote,
  RequestFailedError,
  websocketStream,
} from "waybill/client";
import {
  type ExecutionState,
  execute,
  QuoteMismatchError,
  type QuotePolicy,
  verifyQuote,
  WalletFailedError,
} from "waybill/execute";

/** What is kept between runs: a quote, and how far its execution is. JSON. */
export type Saved = { readonly quote: Quote; readonly state: ExecutionState };

export type Bridge = {
  readonly client: Client;
  readonly request: GetQuoteParameters;
  /** Your bound on the price and your list of contracts. Never take either from the service's answer. */
  readonly policy: QuotePolicy;
  /** Complete URL of the status stream. */
  readonly streamUrl: string;
  /** With a provider of the origin chain. */
  readonly signer: Signer;
  readonly load: () => Promise<Saved | undefined>;
  readonly save: (saved: Saved) => Promise<void>;
};

/**
 * Moves money to another chain, or continues an earlier run that did not end.
 *
 * @returns Transactions on the destination.
 */
export async function bridge(parameters: Bridge): Promise<readonly string[]> {
  const { client, load, policy, request, save, signer, streamUrl } = parameters;
  const saved = await load();
  // A saved quote is executed further. A new one could pay a second time.
  const quote = saved?.quote ?? (await getQuote(client, request));

  // Proves what the quote does before the user sees a price. The wallet is not asked yet.
  if (saved === undefined) {
    const { details } = await verifyQuote({ ...policy, quote, request });
    const { currencyIn, currencyOut } = details;
    console.log(`pay ${currencyIn.amountFormatted} ${currencyIn.currency.symbol}`);
    console.log(`get ${currencyOut.amountFormatted} ${currencyOut.currency.symbol}`);
  }

  const stream = websocketStream({ url: streamUrl });
  // Proves each step again before it is signed, pays, and waits for the fill.
  const { txHashes } = await execute(client, {
    // Awaited before and after each step, so that a crash at any time loses no payment and repeats none.
    onProgress: async (progress) => {
      await save({ quote, state: progress.state });
      console.log(
        progress.type === "item" ? `${progress.step.id}: ${progress.phase}` : progress.progress.status,
      );
    },
    quote,
    request,
    state: saved?.state,
    stream,
    verify: policy,
    wallet: signer,
  });
  return txHashes;
}

/** What to tell the user. Branch on classes and codes, never on messages. */
export function explain(error: unknown): string {
  if (error instanceof QuoteMismatchError) return `The offer is not what you asked for (${error.code}).`;
  if (error instanceof WalletFailedError && error.userRejected) return "You rejected it. Nothing was paid.";
  if (error instanceof RequestFailedError && error.status === "refund")
    return `Refunded: ${error.failReason}.`;
  throw error;
}
