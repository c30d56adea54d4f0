import type { Step } from "../schema/quote/step.ts";
import type { GuardItem } from "./GuardItem.ts";
import { type LearnedQuote, type LearnQuoteParameters, learnQuote } from "./LearnedQuote.ts";
import { Refused } from "./Refused.ts";

/** Quotes kept. A widget asks for one every few seconds, and the person may confirm an older one. */
const mostQuotes = 256;

/** Payments that the wallet was asked for in this process, by order or request id. */
const paid = /* @__PURE__ */ new Set<string>();

/** An item that the wallet was asked for, by the key of its bytes. */
type AskedItem = {
  /** Settles when the wallet has answered. Undefined when its answer left the outcome open. */
  pending: Promise<void> | undefined;
  /** Block before the wallet was asked. */
  fromBlock: bigint | undefined;
};

/** How a request ended: sent or signed, surely not, or with an open outcome. */
export type Outcome = { readonly sentHash: string | undefined } | "open" | "unknown";

/** Items of one quote that a request asks for. They stay asked until `end`. */
export type TakenItems = {
  readonly quote: LearnedQuote;
  readonly items: readonly GuardItem[];
  /** Whether the wallet was asked before, and its answer left the outcome open. */
  readonly isLocked: boolean;
  /** Block before the wallet was first asked. */
  fromBlock: bigint | undefined;
  end(outcome: Outcome): void;
};

/** Learned quotes, newest first, with the state of their items: open, then asked, then sent. */
export class QuoteBook {
  readonly quotes: LearnedQuote[] = [];
  readonly #asked = new Map<string, AskedItem>();

  learn(parameters: LearnQuoteParameters): LearnedQuote {
    const learned = learnQuote(parameters);
    this.quotes.unshift(learned);
    this.quotes.length = Math.min(this.quotes.length, mostQuotes);
    return learned;
  }

  /** Adds steps that the service appended to a request; returns its quote, if one is known. */
  append(requestId: string, steps: readonly Step[]): LearnedQuote | undefined {
    const learned = this.quotes.find(({ quote }) => quote.steps.some((step) => step.requestId === requestId));
    if (learned === undefined) return undefined;
    learned.appended.push(...steps);
    learned.ready = learned.ready.then(() => learned.prove());
    return learned;
  }

  /**
   * Finds the quote whose next open items have these keys, proves it again, and marks the items as asked.
   *
   * @throws Refused
   */
  async take(keys: readonly string[]): Promise<TakenItems> {
    await Promise.all(this.quotes.map(({ ready }) => ready));
    const matches = this.quotes.flatMap((quote) => {
      const index = quote.items.findIndex((_, start) =>
        keys.every((key, offset) => quote.items[start + offset]?.keys.includes(key)),
      );
      return index < 0 ? [] : [{ index, quote }];
    });
    for (const { index, quote } of matches) {
      if (index !== quote.next || quote.refusal !== undefined) continue;
      // Deadlines may have passed since.
      await quote.prove();
      const items = quote.items.slice(index, index + keys.length);
      if (quote.refusal === undefined && index === quote.next) return this.#begin(quote, items);
    }
    // The client asks for all items of a step at once, as for the reset of an allowance and the new one.
    const earlier = matches
      .filter(({ index, quote }) => quote.refusal === undefined && index > quote.next)
      .map(({ quote }) => this.#asked.get(quote.items[quote.next]?.key ?? "")?.pending)
      .find((pending) => pending !== undefined);
    if (earlier !== undefined) {
      await earlier;
      return this.take(keys);
    }
    const [match] = matches;
    if (match === undefined) throw new Refused("it is no item of a quote that the guard has seen");
    const {
      differences = [],
      reason = match.index < match.quote.next ? "it was sent before" : "it is not the next item of its quote",
    } = match.quote.refusal ?? {};
    throw new Refused(reason, differences);
  }

  /** Checks and marks in one turn: two requests at once must not both pass. */
  #begin(quote: LearnedQuote, items: readonly GuardItem[]): TakenItems {
    const [asked] = items.map(({ key }) => this.#asked.get(key)).filter((each) => each !== undefined);
    if (asked?.pending !== undefined) throw new Refused("the wallet is asked for it already");
    const isPayment = items.some((item) => item.isPayment);
    if (asked === undefined && isPayment && paid.has(quote.paymentId)) {
      throw new Refused("its order was paid before");
    }
    if (isPayment) paid.add(quote.paymentId);
    const { promise: pending, resolve: settle } = Promise.withResolvers<void>();
    for (const { key } of items) this.#asked.set(key, { fromBlock: undefined, pending });
    const taken: TakenItems = {
      end: (outcome) => {
        for (const { key } of items) {
          if (outcome === "unknown") this.#asked.set(key, { fromBlock: taken.fromBlock, pending: undefined });
          else this.#asked.delete(key);
        }
        if (outcome === "open" && isPayment) paid.delete(quote.paymentId);
        if (typeof outcome === "object") this.#advance(items, outcome.sentHash);
        settle();
      },
      fromBlock: asked?.fromBlock,
      isLocked: asked !== undefined,
      items,
      quote,
    };
    return taken;
  }

  /** An approval of the same bytes counts for every quote whose next item it is. */
  #advance(items: readonly GuardItem[], sentHash: string | undefined): void {
    for (const { key } of items) {
      for (const quote of this.quotes) {
        if (quote.items[quote.next]?.key !== key) continue;
        quote.next++;
        quote.sentHash = sentHash;
      }
    }
  }
}
