import type { QuoteIntent } from "../calls/verify/VerifyQuoteParameters.ts";
import { readObject } from "../internal/readParts.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import type { QuoteGuard } from "./createQuoteGuard.ts";

/** What the guard makes of a request to the service. */
export type WatchedRequest = {
  /** The body to send instead. */
  readonly body: unknown;
  /** Takes the parsed answer. A page may use that of a failed request, if it has steps. */
  readonly learn: (answer: unknown, isOk: boolean) => void;
};

/**
 * Reads a request of the page; undefined unless it asks for a quote or submits a signature.
 *
 * Asks for the order's signature, which the official client and the widget leave out. Host and query do not count: the
 * answer is proven, wherever it comes from.
 */
export function watchTraffic(
  guard: QuoteGuard,
  { body, method, url }: { readonly body: unknown; readonly method: string; readonly url: string },
): WatchedRequest | undefined {
  const endpoint = findEndpoint(method, url);
  if (endpoint === undefined || body === undefined || body === null) return undefined;
  const fields = parse(body);
  if (fields === undefined) return undefined;
  if (endpoint === "quote") {
    // Another API of the page may have such a path.
    if (fields["originChainId"] === undefined || fields["tradeType"] === undefined) return undefined;
    const request = { ...fields, includeProtocolData: true } as unknown as QuoteIntent;
    const sequence = guard.internal.book.nextSequence();
    return {
      body: request,
      // An unproven quote is reported when its items are asked for.
      learn: (quote, isOk) => {
        if (!isOk && Object(quote).steps === undefined) return;
        void guard.internal.add({ quote: quote as Quote, request }, sequence).catch(() => {});
      },
    };
  }
  return {
    body: fields,
    learn: (answer) => {
      const { steps } = Object(answer) as { steps?: unknown };
      if (!Array.isArray(steps) || steps.length === 0) return;
      void guard.append({ requestId: String(fields["requestId"]), steps: steps as Step[] }).catch(() => {});
    },
  };
}

/** The endpoint that the guard learns from, by method and path. Bodies of other requests are not read: they may be large, or stream. */
export function findEndpoint(method: string, url: string): "quote" | "permits" | undefined {
  if (method.toUpperCase() !== "POST") return undefined;
  const path = url.replace(/[?#].*$/s, "");
  if (/\/quote(?:\/v2)?\/?$/.test(path)) return "quote";
  return /\/execute\/permits\/?$/.test(path) ? "permits" : undefined;
}

function parse(body: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    return structuredClone(readObject(typeof body === "string" ? JSON.parse(body) : body, "body"));
  } catch {
    return undefined;
  }
}
