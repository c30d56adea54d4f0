import { writeFile } from "node:fs/promises";
import type { PublicClient, WalletClient } from "viem";
import {
  type Client,
  type GetQuoteParameters,
  getQuote,
  RequestFailedError,
  TimeoutError,
} from "waybill/client";
import {
  execute,
  PaymentUnsettledError,
  QuoteMismatchError,
  type QuotePolicy,
  TransactionRevertedError,
  verifyQuote,
  WalletFailedError,
} from "waybill/execute";

export type Payment = {
  readonly client: Client;
  readonly request: GetQuoteParameters;
  /** Your bound on the price and your list of contracts. Never take either from the service's answer. */
  readonly policy: QuotePolicy;
  /** Your own node of the origin chain. */
  readonly reader: PublicClient;
  readonly wallet: WalletClient;
  /** Folder for the state of a run that did not end. */
  readonly folder: string;
};

/** Quotes, verifies, signs and tracks one payment. @returns Transactions on the destination. */
export async function pay(payment: Payment): Promise<readonly string[]> {
  const { client, folder, policy, reader, request, wallet } = payment;
  const quote = await getQuote(client, request);

  // Proves what the quote does before the user sees a price. The wallet is not asked yet.
  const { details } = await verifyQuote({ ...policy, quote, reader, request });
  const { currencyIn, currencyOut } = details;
  console.log(`pay ${currencyIn.amountFormatted} ${currencyIn.currency.symbol}`);
  console.log(`get ${currencyOut.amountFormatted} ${currencyOut.currency.symbol}`);

  // Proves each step again before it is signed, approves the exact amount, pays, and waits for the fill.
  const { txHashes } = await execute(client, {
    // A saved state keeps a restarted program from paying twice: pass it as `state`, with the same quote.
    onProgress: async ({ state, type, ...progress }) => {
      await writeFile(`${folder}/${state.requestId}.json`, JSON.stringify({ quote, state }));
      if ("phase" in progress) console.log(`${progress.step.id}: ${progress.phase}`);
      else console.log(progress.progress.status);
    },
    publicClient: reader,
    quote,
    request,
    verify: { ...policy, reader },
    wallet,
  });
  return txHashes;
}

/** What to tell the user. Branch on classes and codes, never on messages. */
export function explain(error: unknown): string {
  if (error instanceof QuoteMismatchError)
    return `The offer is not what you asked for (${error.code}). Nothing was signed.`;
  if (error instanceof WalletFailedError && error.userRejected) return "You rejected it. Nothing was paid.";
  if (error instanceof PaymentUnsettledError)
    return "Whether it was paid is not known yet. Continue from the saved state.";
  if (error instanceof TransactionRevertedError) return "The payment reverted. Only gas was spent.";
  if (error instanceof RequestFailedError && error.status === "refund")
    return `The payment was refunded (${error.failReason}) by ${error.txHashes.join(", ")}.`;
  if (error instanceof TimeoutError) return "The payment is still under way. Continue from the saved state.";
  throw error;
}
