import type { Sleep } from "../internal/sleep.ts";
import type { Step } from "../schema/quote/step.ts";
import { bytesOf, type GuardItem } from "./GuardItem.ts";
import { GuardClaims, type Holds, type Outcome } from "./guardClaims.ts";
import {
  type LearnedQuote,
  type LearnQuoteParameters,
  learnQuote,
  notProvenYet,
  type QuoteRefusal,
} from "./LearnedQuote.ts";
import { Refused } from "./Refused.ts";
import type { GuardedProvider } from "./WalletProvider.ts";
import { within } from "./within.ts";

/** Quotes kept. A widget asks for one every few seconds, and the person may confirm an older one. */
const mostQuotes = 256;

/** How often, and after how many milliseconds, an item that is early looks whether the one before it was asked for. */
const mostEarlyReads = 10;
const earlyPause = 200;

/** Milliseconds after which an item that moves no money may be asked for again: the wallet may have lost its prompt. */
const lostPrompt = 60_000;

/** Items of one quote that a request asks for. */
export type FoundItems = {
  readonly quote: LearnedQuote;
  readonly index: number;
  readonly items: readonly GuardItem[];
  readonly keys: readonly string[];
};

/** Items that the wallet is asked for, until `end`. */
export type TakenItems = FoundItems & { end(outcome: Outcome): void };

/** Parameters of {@link QuoteBook.take}. */
export type TakeParameters = {
  readonly holds: Holds;
  /** Throws when the wallet is not as the items need it. The last wait before it is asked. */
  readonly expectWallet?: () => Promise<void>;
  readonly fromBlock?: bigint | undefined;
};

type Payment = { readonly quote: LearnedQuote; readonly sequence: number; isPending: boolean };

/** Learned quotes, newest first, with the state of their items: open, then asked, then sent. */
export class QuoteBook {
  readonly quotes: LearnedQuote[] = [];
  /** Guarded providers, by the wallet's and by themselves. */
  readonly guarded = new WeakMap<object, GuardedProvider>();
  readonly #claims: GuardClaims;
  readonly #now: () => number;
  readonly #sleep: Sleep;
  /** Payments that the wallet was asked for, or whose steps the service appended: pending ones, and the last of each line. */
  #payments: Payment[] = [];
  /** Quotes that were requested before are closed. */
  #closed = 0;
  #sequence = 0;

  constructor(now: () => number, sleep: Sleep) {
    this.#claims = new GuardClaims(now);
    this.#now = now;
    this.#sleep = sleep;
  }

  /** Position of a request or payment in the order in which the page makes them. */
  nextSequence(): number {
    return ++this.#sequence;
  }

  learn(parameters: Omit<LearnQuoteParameters, "now" | "sleep">): LearnedQuote {
    const learned = learnQuote({ ...parameters, now: this.#now, sleep: this.#sleep });
    for (const other of this.quotes) {
      if (other.line !== learned.line || other.requestText === learned.requestText) continue;
      (other.sequence < learned.sequence ? other : learned).isReplaced = true;
    }
    this.quotes.unshift(learned);
    learned.ready = learned.ready.then(() => this.#evict());
    return learned;
  }

  /**
   * Removes a quote beyond the maximum: the oldest proven one, or unproven one if more than half are. Neither kind drives the
   * other out. Quotes whose proof is under way stay.
   */
  #evict(): void {
    if (this.quotes.length <= mostQuotes) return;
    const isUnproven = ({ refusal }: LearnedQuote) => refusal !== undefined && refusal !== notProvenYet;
    const isMost = this.quotes.filter(isUnproven).length > mostQuotes / 2;
    this.quotes.splice(
      this.quotes.findLastIndex((quote) => (isMost ? isUnproven(quote) : quote.refusal === undefined)),
      1,
    );
  }

  /** Whether no payment is possible any more. */
  get isShut(): boolean {
    return this.#closed === Number.POSITIVE_INFINITY;
  }

  /** Closes the quotes that were requested before: the page may execute an answer that is none of theirs. */
  close(sequence = this.nextSequence()): void {
    this.#closed = Math.max(this.#closed, sequence);
  }

  /**
   * Adds steps that the service appended to a request. Returns the differences, if there are any. The page executes the steps
   * in any case, so that they close the other quotes.
   */
  async append(requestId: string, steps: readonly Step[]): Promise<QuoteRefusal | undefined> {
    const learned = this.quotes.find(({ payment }) => payment?.requestId === requestId);
    if (learned === undefined) {
      this.close();
      return { differences: [], reason: "the guard has not seen its quote" };
    }
    this.#payments = this.#payments.filter(
      ({ isPending, quote }) => isPending || quote.line !== learned.line,
    );
    this.#payments.push({ isPending: false, quote: learned, sequence: this.nextSequence() });
    const added = learned.ready.then(() => learned.append(steps));
    learned.ready = added;
    return added;
  }

  /**
   * Handles a request for the items with these keys: waits for proofs, and for the item before them.
   *
   * @throws Refused
   */
  async handle<Answer>(
    keys: readonly string[],
    handler: (found: FoundItems) => Promise<Answer>,
    reads = 0,
  ): Promise<Answer> {
    const matches = this.#match(keys);
    await Promise.all((matches.length > 0 ? matches : this.quotes).map(({ ready }) => ready));
    const early = this.#findEarly(keys);
    if (early !== undefined && (early.underway !== undefined || reads < mostEarlyReads)) {
      // The wallet may have lost a prompt, for which the page asks again.
      await within(early.underway ?? this.#sleep(earlyPause), lostPrompt, this.#sleep).catch(() => {});
      return this.handle(keys, handler, reads + 1);
    }
    const found = this.#find(keys);
    const { promise, resolve } = Promise.withResolvers<void>();
    found.quote.underway = promise;
    try {
      return await handler(found);
    } finally {
      if (found.quote.underway === promise) found.quote.underway = undefined;
      resolve();
    }
  }

  /**
   * Proves the quote again, and marks the items as asked. The caller asks the wallet in the same turn.
   *
   * @throws Refused
   */
  async take(
    { items: wanted, keys, quote }: FoundItems,
    { expectWallet, fromBlock, holds }: TakeParameters,
  ): Promise<TakenItems> {
    // Deadlines and prices may have passed since.
    const refusal = await quote.prove();
    if (refusal !== undefined) throw new Refused(refusal.reason, refusal.differences);
    const pays = wanted.some((item) => item.isPayment);
    const run = pays ? await this.#claims.findRun(quote, holds) : undefined;
    // A newer answer with the same approval may have come meanwhile.
    await Promise.all(this.#match(keys).map(({ ready }) => ready));
    await expectWallet?.();
    // From here on in one turn: two requests at once must not both pass.
    const found = this.#find(keys, quote);
    const { index, items } = found;
    for (const { isPayment, key } of items) {
      const asked = quote.asked.get(key);
      const isLost = asked !== undefined && !isPayment && this.#now() - asked.at >= lostPrompt;
      if (asked?.isPending === true && !isLost) throw new Refused("the wallet is asked for it already");
      if (asked?.isPending === false && isPayment) throw new Refused("whether it was sent is not known");
    }
    // The same signature once more pays nothing more.
    const isRepeated = index < quote.next && items.every(({ kind }) => kind === "signature");
    const isPayment = !isRepeated && items.some((item) => item.isPayment);
    const endClaim = isPayment ? this.#claims.claim(quote, run) : undefined;
    const payment = { isPending: true, quote, sequence: this.nextSequence() };
    if (isPayment) this.#payments.push(payment);
    for (const { key } of items) quote.asked.set(key, { at: this.#now(), fromBlock, isPending: true });
    const end = (outcome: Outcome) => {
      this.settle(found, outcome, fromBlock);
      endClaim?.(outcome);
      // An approval opens no quote that a payment closed.
      if (!isPayment) return;
      payment.isPending = false;
      this.#payments = this.#payments.filter(
        (other) =>
          other.isPending ||
          (outcome === "open"
            ? other !== payment
            : other.quote.line !== quote.line || other.sequence >= payment.sequence),
      );
    };
    return { ...found, end };
  }

  /** Records the outcome of a request for items. An approval of the same bytes counts for each quote whose next item it is. */
  settle({ index, items, quote }: FoundItems, outcome: Outcome, fromBlock?: bigint): void {
    for (const { key } of items) {
      if (outcome === "unknown") quote.asked.set(key, { at: this.#now(), fromBlock, isPending: false });
      else quote.asked.delete(key);
    }
    if (typeof outcome !== "object") return;
    const { sentHash } = outcome;
    const end = index + items.length;
    // An approval sent again may be the reset before the next. A late answer to one must not open a payment again.
    const isBack = canAsk(quote, end) && items.every(({ kind }) => kind === "call");
    const next = isBack ? end : Math.max(quote.next, end);
    for (const { isPayment, key } of items) {
      for (const other of this.quotes) {
        const isSame = !isPayment || other.payment?.ids.some((id) => quote.payment?.ids.includes(id));
        if (other === quote || isSame !== true || other.items[other.next]?.key !== key) continue;
        Object.assign(other, { next: other.next + 1, sentHash });
      }
    }
    Object.assign(quote, { next, sentHash });
  }

  #match(keys: readonly string[]): readonly LearnedQuote[] {
    return this.quotes.filter((quote) => indexOf(quote, keys) >= 0);
  }

  /** The client asks for the reset of an allowance and for the new one at once, in any order. */
  #findEarly(keys: readonly string[]): LearnedQuote | undefined {
    const matches = this.#match(keys).filter(({ refusal }) => refusal === undefined);
    if (matches.some((quote) => canAsk(quote, indexOf(quote, keys)))) return undefined;
    return matches.find(
      (quote) => indexOf(quote, keys) > quote.next && quote.items[quote.next]?.isPayment === false,
    );
  }

  /** @throws Refused */
  #find(keys: readonly string[], wanted?: LearnedQuote): FoundItems {
    const matches = this.#match(keys);
    const open = matches.filter(
      (quote) => quote.refusal === undefined && canAsk(quote, indexOf(quote, keys)),
    );
    const usable = open.filter((quote) => this.#findClosure(quote) === undefined);
    // A copy of the quote, of which the wallet was asked before, holds what is known of it.
    const known = usable.find((quote) =>
      quote.items.some(({ key }) => keys.includes(key) && quote.asked.get(key)?.isPending === false),
    );
    const quote = wanted === undefined ? (known ?? usable[0]) : usable.find((each) => each === wanted);
    const [first] = open.length > 0 ? open : matches;
    if (first === undefined) throw new Refused("it is no item of a quote that the guard has seen");
    // The page may execute such an answer: a newer one, or one that strings payments together.
    const isForbidding = (each: LearnedQuote) => {
      const { items, refusal, sequence } = each;
      if (refusal === undefined || quote === undefined) return false;
      if (sequence > quote.sequence) return holdsBytes(each, keys);
      const payments = items.filter(({ isPayment }) => isPayment);
      const isPayment = payments.some((item) => keys.some((key) => item.keys.includes(key)));
      return isPayment && payments.length > 1;
    };
    const { refusal } = this.quotes.find(isForbidding) ?? quote ?? first;
    if (refusal !== undefined) throw new Refused(refusal.reason, refusal.differences);
    if (quote !== undefined) {
      const index = indexOf(quote, keys);
      return { index, items: quote.items.slice(index, index + keys.length), keys, quote };
    }
    const isSent = indexOf(first, keys) < first.next;
    const turn = isSent ? "it was sent before" : "it is not the next item of its quote";
    throw new Refused(this.#findClosure(first) ?? turn);
  }

  /** Why a quote may not be paid any more: one click pays once, and an older answer does not pay for a newer request. */
  #findClosure(quote: LearnedQuote): string | undefined {
    if (quote.isReplaced) return "the page has asked for another quote since";
    if (this.isShut) return "the page received an answer that no honest service gives";
    if (quote.sequence < this.#closed)
      return "the page received steps since that the guard knows no quote of";
    const isPaid = this.#payments.some(
      (each) => each.quote !== quote && each.quote.line === quote.line && each.sequence > quote.sequence,
    );
    return isPaid ? "the account was asked for another payment since the page asked for it" : undefined;
  }
}

/** Index of a run of items, the next open one first; -1 if the quote does not have it. */
function indexOf({ items, next }: LearnedQuote, keys: readonly string[]): number {
  const isAt = (start: number) => keys.every((key, offset) => items[start + offset]?.keys.includes(key));
  return isAt(next) ? next : items.findIndex((_, start) => isAt(start));
}

/** Whether an answer has one of these items. Its other fields do not count: clients ignore some that the guard cannot read. */
function holdsBytes({ items, quote }: LearnedQuote, keys: readonly string[]): boolean {
  if (items.some((item) => keys.some((key) => item.keys.includes(key)))) return true;
  const text = JSON.stringify(quote).toLowerCase();
  return keys.some((key) => text.includes(bytesOf(key)));
}

/** Approvals and signatures may be asked for again: they pay nothing more. */
function canAsk({ items, next }: LearnedQuote, index: number): boolean {
  return (
    index <= next &&
    items.slice(index, next).every(({ isPayment, kind }) => !isPayment || kind === "signature")
  );
}
