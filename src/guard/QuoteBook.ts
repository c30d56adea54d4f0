import { claimPayment, type PaymentClaim, paymentLedger, releasePayment } from "../execute/paymentLedger.ts";
import type { Sleep } from "../internal/sleep.ts";
import type { Step } from "../schema/quote/step.ts";
import type { GuardItem } from "./GuardItem.ts";
import { type LearnedQuote, type LearnQuoteParameters, learnQuote } from "./LearnedQuote.ts";
import { Refused } from "./Refused.ts";

/** Quotes kept. A widget asks for one every few seconds, and the person may confirm an older one. */
const mostQuotes = 256;

/** How often, and after how many milliseconds, an item that is early looks whether the one before it was asked for. */
const mostEarlyReads = 10;
const earlyPause = 200;

const noPayment = { deadline: undefined, ids: [], requestId: undefined };

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
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  learn(parameters: Omit<LearnQuoteParameters, "now">): LearnedQuote {
    const learned = learnQuote({ ...parameters, now: this.#now });
    this.quotes.unshift(learned);
    this.quotes.length = Math.min(this.quotes.length, mostQuotes);
    return learned;
  }

  /** Adds steps that the service appended to a request; returns its quote, if one is known. */
  append(requestId: string, steps: readonly Step[]): LearnedQuote | undefined {
    const learned = this.quotes.find(({ payment }) => payment?.requestId === requestId);
    if (learned === undefined) return undefined;
    learned.appended.push(...steps);
    learned.ready = learned.ready.then(() => learned.prove());
    return learned;
  }

  /**
   * Finds the quote whose next open items have these keys, marks them as asked, and proves the quote again.
   *
   * @throws Refused
   */
  async take(keys: readonly string[], sleep: Sleep, reads = 0): Promise<TakenItems> {
    await Promise.all(this.quotes.map(({ ready }) => ready));
    const matches = this.quotes.flatMap((quote) => {
      const index = quote.items.findIndex((_, start) =>
        keys.every((key, offset) => quote.items[start + offset]?.keys.includes(key)),
      );
      return index < 0 ? [] : [{ index, quote }];
    });
    const proven = matches.filter(({ quote }) => quote.refusal === undefined);
    const open = proven.find(({ index, quote }) => index === quote.next)?.quote;
    if (open !== undefined) {
      const taken = this.#begin(open, open.items.slice(open.next, open.next + keys.length));
      // Deadlines may have passed since.
      await open.prove();
      if (open.refusal === undefined) return taken;
      taken.end(taken.isLocked ? "unknown" : "open");
      throw new Refused(open.refusal.reason, open.refusal.differences);
    }
    // The client asks for the reset of an allowance and for the new one at once, in any order.
    const early = proven.find(
      ({ index, quote }) => index > quote.next && !quote.items[quote.next]?.isPayment,
    )?.quote;
    const pending = this.#asked.get(early?.items[early.next]?.key ?? "")?.pending;
    if (pending !== undefined || (early !== undefined && reads < mostEarlyReads)) {
      await (pending ?? sleep(earlyPause));
      return this.take(keys, sleep, reads + 1);
    }
    const [match] = matches;
    if (match === undefined) throw new Refused("it is no item of a quote that the guard has seen");
    const isSent = match.index < match.quote.next;
    const reason = isSent ? "it was sent before" : "it is not the next item of its quote";
    throw new Refused(match.quote.refusal?.reason ?? reason, match.quote.refusal?.differences);
  }

  /** Checks and marks in one turn: two requests at once must not both pass. */
  #begin(quote: LearnedQuote, items: readonly GuardItem[]): TakenItems {
    const [asked] = items.map(({ key }) => this.#asked.get(key)).filter((each) => each !== undefined);
    if (asked?.pending !== undefined) throw new Refused("the wallet is asked for it already");
    const isLocked = asked !== undefined;
    const claim = items.some((item) => item.isPayment) ? this.#claim(quote, isLocked) : undefined;
    const { promise: pending, resolve: settle } = Promise.withResolvers<void>();
    for (const { key } of items) this.#asked.set(key, { fromBlock: undefined, pending });
    const taken: TakenItems = {
      end: (outcome) => {
        for (const { key } of items) {
          if (outcome === "unknown") this.#asked.set(key, { fromBlock: taken.fromBlock, pending: undefined });
          else this.#asked.delete(key);
        }
        if (claim !== undefined) this.#release(claim, outcome, quote);
        if (typeof outcome === "object") this.#advance(items, outcome.sentHash);
        settle();
      },
      fromBlock: asked?.fromBlock,
      isLocked,
      items,
      quote,
    };
    return taken;
  }

  /**
   * Claims the payment among guards. A run of `execute` that holds it may be the one that asks through this wallet; one that
   * ended has paid.
   */
  #claim({ payment = noPayment }: LearnedQuote, isLocked: boolean): PaymentClaim {
    const held = payment.ids
      .map((id) => paymentLedger.get(id.toLowerCase()))
      .find((each) => each !== undefined);
    const isPaid = held?.isHeld === false && held.record !== undefined;
    let claim: PaymentClaim;
    try {
      claim = claimPayment({ ...payment, ids: payment.ids.map((id) => `guard:${id}`), now: this.#now() });
    } catch {
      throw new Refused("its order is being paid");
    }
    if (isLocked || (!isPaid && claim.record === undefined)) return claim;
    releasePayment(claim);
    throw new Refused("its order was paid before");
  }

  /** Keeps what may take effect, for guards and for later runs of `execute`. */
  #release(claim: PaymentClaim, outcome: Outcome, { payment = noPayment }: LearnedQuote): void {
    if (outcome !== "open") claim.record = outcome;
    releasePayment(claim);
    if (claim.record === undefined || payment.ids.some((id) => paymentLedger.has(id.toLowerCase()))) return;
    const known = claimPayment({ ...payment, now: this.#now() });
    known.record = claim.record;
    releasePayment(known);
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
