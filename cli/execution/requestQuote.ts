import { getQuote } from "../../src/client/getQuote.ts";
import { decimalToUnits } from "../../src/internal/amounts.ts";
import { quoteSchema } from "../../src/schema/quote/quote.ts";
import { readJsonFile } from "../settings/readJsonFile.ts";
import { usageError } from "../terminal/CommandError.ts";
import type { ExecutionFile } from "./ExecutionFile.ts";
import { boundsOf } from "./priceBounds.ts";
import type { Stage } from "./Stage.ts";

/**
 * Asks for the quote of the flags, or reads a saved one, which is proven against the same flags: a quote alone does not tell
 * what was asked for.
 *
 * @throws CommandError for a file without a quote; errors of `getQuote`.
 */
export async function requestQuote({
  account,
  from,
  options,
  service,
  terminal,
  to,
}: Stage): Promise<Pick<ExecutionFile, "bounds" | "quote" | "request">> {
  const { amount = "", file, recipient, refundTo, slippage, tradeType = "EXACT_INPUT" } = options;
  const fixed = tradeType === "EXACT_INPUT" ? from : to;
  const request = {
    amount: decimalToUnits(amount, fixed.decimals).toString(),
    destinationChainId: to.chainId,
    destinationCurrency: to.address,
    originChainId: from.chainId,
    originCurrency: from.address,
    tradeType,
    user: account,
    ...(recipient !== undefined && { recipient }),
    ...(refundTo !== undefined && { refundTo }),
    ...(slippage !== undefined && { slippageTolerance: slippage }),
  };
  const bounds = boundsOf(options, from, to);
  if (file === undefined) {
    return {
      bounds,
      quote: await getQuote(service.client, { ...request, signal: terminal.signal }),
      request,
    };
  }
  const parsed = quoteSchema.safeParse(await readJsonFile(file));
  if (parsed.success) return { bounds, quote: parsed.data, request };
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  throw usageError(`${file} is no quote: \`${field}\` is invalid. Save one by waybill quote … --json.`);
}
