import type { QuoteMismatch } from "../../errors/QuoteMismatchError.ts";
import { hashOrder } from "../../records/hashOrder.ts";
import { normalizeOrder } from "../../records/normalizeOrder.ts";
import type { Quote } from "../../schema/quote.ts";
import { assertVerifyParameters } from "./assertVerifyParameters.ts";
import { checkDetails } from "./checkDetails.ts";
import { checkOrder } from "./checkOrder.ts";
import { checkSignature } from "./checkSignature.ts";
import { checkTransaction } from "./checkTransaction.ts";
import { differ, type QuoteCheck, same } from "./QuoteCheck.ts";
import { readWanted } from "./readWanted.ts";
import { readTrusted } from "./trusted.ts";
import type { VerifyQuoteParameters } from "./VerifyQuoteParameters.ts";

/** Everything in which a quote differs from what was asked for. */
export async function findMismatches(parameters: VerifyQuoteParameters): Promise<readonly QuoteMismatch[]> {
  assertVerifyParameters(parameters);
  const { chains = [], now = Date.now(), quote, request } = parameters;
  const wanted = readWanted(quote, request);
  const origin = chains.find(({ id }) => id === wanted.originChainId);
  const destination = chains.find(({ id }) => id === wanted.destinationChainId);
  const check: QuoteCheck = {
    found: [],
    now: Math.floor(now / 1000),
    orderId: orderIdOf(quote),
    payments: [],
    quote,
    requestId: quote.steps.find(({ requestId }) => requestId !== undefined)?.requestId,
    trusted: readTrusted(origin, destination, parameters),
    wanted,
  };
  checkDetails(check, parameters);
  await checkOrder(check, {
    destination: destination?.protocol?.v2?.chainId ?? undefined,
    origin: origin?.protocol?.v2?.chainId ?? undefined,
  });
  checkSteps(check);
  return check.found;
}

/** Hashed here: an id that came along with an order may be of another one. */
function orderIdOf({ protocol }: Quote): string | undefined {
  const { orderData, orderId } = protocol?.v2 ?? {};
  if (orderData === undefined) return orderId;
  try {
    return hashOrder({ order: normalizeOrder({ orderData }) });
  } catch {
    return "of an order that can be hashed";
  }
}

function checkSteps(check: QuoteCheck): void {
  const { payments, quote, requestId, trusted, wanted } = check;
  quote.steps.forEach((step, stepIndex) => {
    const path = `steps.${stepIndex}`;
    if (step.requestId !== undefined) {
      same(check, "QUOTE_REQUEST_ID", `${path}.requestId`, requestId, step.requestId);
    }
    for (const [itemIndex, { data }] of step.items.entries()) {
      const at = `${path}.items.${itemIndex}.data`;
      if (step.kind === "signature") {
        if (step.items[itemIndex]?.data !== undefined) checkSignature(check, step.items[itemIndex].data, at);
      } else if (step.kind === "transaction") {
        const transaction = step.items[itemIndex]?.data;
        if (transaction?.to !== undefined) checkTransaction(check, transaction, at);
        else if (wanted.request !== undefined)
          differ(check, "QUOTE_CALL", at, "an EVM transaction", typeof data);
      }
    }
  });
  if (wanted.request === undefined) return;
  if (!trusted.isKnown) {
    differ(check, "QUOTE_TARGET", "steps", `known contracts on chain ${wanted.originChainId}`, "none known");
  }
  if (payments.length !== 1) {
    differ(check, "QUOTE_PAYMENT", "steps", "one payment", payments.join(" and ") || "none");
  }
}
