import type { QuoteIntent } from "../calls/verify/VerifyQuoteParameters.ts";
import { readObject } from "../internal/readParts.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import type { QuoteGuard } from "./createQuoteGuard.ts";

/** A request of the page, as the guard watches it. */
export type WatchedRequest = {
  /**
   * Takes the body, and returns the one to send instead, if there is one. Undefined for requests whose body the guard does
   * not need: it may be large, or stream.
   */
  readonly read: ((body: unknown) => object | undefined) | undefined;
  /** Takes the answer, or its text. A page may use that of a failed request, if it has steps. */
  readonly learn: (answer: unknown, isOk: boolean) => void;
};

/**
 * Watches a request of the page, which makes it now. Clients execute the steps of any answer, so that those of another request
 * than one for a quote are steps that the service appended.
 *
 * Asks for the order's signature, which the official client and the widget leave out. Host and query do not count: the
 * answer is proven, wherever it comes from.
 */
export function watchTraffic({ append, internal }: QuoteGuard, method: string, url: string): WatchedRequest {
  const sequence = internal.book.nextSequence();
  const endpoint = findEndpoint(method, url);
  let fields: Readonly<Record<string, unknown>> = {};
  let request: QuoteIntent | undefined;
  return {
    learn: (given, isOk) => {
      const answer = readJson(given);
      const { steps } = Object(answer) as { readonly steps?: unknown };
      if (request !== undefined) {
        // An unproven quote is reported when its items are asked for.
        if (isOk || steps !== undefined) void internal.add({ quote: answer as Quote, request }, sequence);
      } else if (Array.isArray(steps) && steps.some((step) => Array.isArray(Object(step).items))) {
        void append({ requestId: String(fields["requestId"]), steps: steps as Step[] });
      }
    },
    read:
      endpoint &&
      ((body) => {
        fields = parse(body);
        // Another API of the page may have such a path.
        const isQuote = fields["originChainId"] !== undefined && fields["tradeType"] !== undefined;
        if (endpoint === "permits" || !isQuote) return undefined;
        request = { ...fields, includeProtocolData: true } as unknown as QuoteIntent;
        return request;
      }),
  };
}

/** The endpoint whose bodies the guard reads, by method and path. */
function findEndpoint(method: string, url: string): "quote" | "permits" | undefined {
  if (method.toUpperCase() !== "POST") return undefined;
  const path = url.replace(/[?#].*$/s, "");
  if (/(?:^|\/)quote(?:\/v2)?\/?$/.test(path)) return "quote";
  return /(?:^|\/)execute\/permits\/?$/.test(path) ? "permits" : undefined;
}

/** The fields of a body; none if it is no JSON. */
function parse(body: unknown): Readonly<Record<string, unknown>> {
  try {
    return structuredClone(readObject(readJson(body), "body"));
  } catch {
    return {};
  }
}

/** The value of a JSON text, or of its bytes; undefined if it is none. Other values as they are. */
function readJson(given: unknown): unknown {
  const isBytes = given instanceof ArrayBuffer || ArrayBuffer.isView(given);
  const text = isBytes ? new TextDecoder().decode(given) : given;
  try {
    return typeof text === "string" ? JSON.parse(text) : text;
  } catch {
    return undefined;
  }
}
