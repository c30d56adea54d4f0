import { productionTrust } from "../calls/verify/productionTrust.ts";
import { copyUsual } from "../calls/verify/readQuote.ts";
import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import type { QuoteMismatch } from "../errors/QuoteMismatchError.ts";
import {
  assertFunction,
  assertValid,
  readChainId,
  readList,
  readObject,
  readText,
} from "../internal/readParts.ts";
import { type Sleep, sleep } from "../internal/sleep.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import { hashesFast } from "./GuardItem.ts";
import { type QuoteRefusal, unprovable } from "./LearnedQuote.ts";
import { QuoteBook } from "./QuoteBook.ts";
import type { Refusal } from "./RefusedRequestError.ts";
import { isSignIn, readMessage } from "./signItems.ts";

/** Characters of a text that show whether it is a sign-in. Even: hexadecimal text stays so. */
const longestHead = 2_000;

/** A wallet request that no proof covers. `params` is a copy, and is what the wallet receives. */
export type UncoveredRequest = { readonly method: string; readonly params: readonly unknown[] };

export type CreateQuoteGuardParameters = {
  /**
   * Trust roots (default: `productionTrust`) and bounds of every quote. One `price` serves all currencies. `now` is ignored.
   */
  readonly policy: QuotePolicy;
  /**
   * Adds to the policy of one quote, such as `minimumOutput` or `reader`. Does not replace `trust`. Called again after a minute.
   * Throws to refuse a request that the page did not mean, such as one for a recipient of another script.
   */
  readonly policyFor?:
    | ((request: QuoteIntent) => Omit<QuotePolicy, "trust"> | Promise<Omit<QuotePolicy, "trust">>)
    | undefined;
  /** Called for each refusal. Clients show the wallet's error, but not its reason. Its errors are ignored. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
  /**
   * Decides requests that no quote can cover: `personal_sign`, `wallet_addEthereumChain`, `wallet_watchAsset` and unlisted
   * methods. Never asked about transactions, batches, `eth_signTypedData_v4` and 32-byte messages. Default: refuses.
   */
  readonly allow?: ((request: UncoveredRequest) => boolean | Promise<boolean>) | undefined;
  /** Passes sign-in messages (EIP-4361) that name this domain: `location.host`. */
  readonly signInDomain?: string | undefined;
  /** Unix milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Default: a timer. */
  readonly sleep?: Sleep | undefined;
};

/** Result of the proof of a learned quote. */
export type QuoteVerdict = {
  readonly isProven: boolean;
  /** All differences; empty when the quote is proven, or has no form that can be compared. */
  readonly differences: readonly QuoteMismatch[];
  /** Why it is not proven. */
  readonly reason?: string | undefined;
};

type Learned = { readonly request: QuoteIntent; readonly quote: Quote };

/** A guard: the quotes of a page, and what may be signed for them. */
export type QuoteGuard = {
  /**
   * Learns a quote with the request that it answers, and proves it. Copies both.
   *
   * Requests for an unproven quote's items are refused.
   */
  add(learned: Learned): Promise<QuoteVerdict>;
  /** Learns steps that the service appended to a request after a signature, and proves its quote with them. */
  append(learned: { readonly requestId: string; readonly steps: readonly Step[] }): Promise<QuoteVerdict>;
  /** For `guardProvider`. */
  readonly internal: {
    /** `add`, for a request at a position among the page's. */
    readonly add: (learned: Learned, sequence: number) => Promise<QuoteVerdict>;
    readonly allow: (request: UncoveredRequest) => Promise<boolean>;
    readonly book: QuoteBook;
    readonly chainIds: ReadonlySet<number>;
    readonly refuse: (refusal: Refusal) => void;
    /** Undefined once the guard is closed. */
    readonly signInDomain: () => string | undefined;
    readonly sleep: Sleep;
  };
};

export type CreateQuoteGuardReturnType = QuoteGuard;

/**
 * Creates a guard, which learns a page's quotes and proves each against its request. `guardProvider` puts it before a wallet.
 *
 * Feed it by `watchRequests` or `watchAxios`, which also ask the service for the order's signature, or by `add` with a request
 * that has `includeProtocolData: true`.
 *
 * @throws {InvalidParameterError} For an invalid part, by name.
 *
 * @example
 * import { createQuoteGuard } from "waybill/guard";
 *
 * const guard = createQuoteGuard({
 *   onRefused: ({ differences, method, reason }) => console.warn(method, reason, differences),
 *   policy: { price: ({ amount }) => amount },
 * });
 */
export function createQuoteGuard(parameters: CreateQuoteGuardParameters): CreateQuoteGuardReturnType {
  const { allow, now = Date.now, onRefused, policy, policyFor, signInDomain } = readParameters(parameters);
  const pause = parameters.sleep ?? sleep;
  const book = new QuoteBook(now, pause);
  const { trust = productionTrust } = policy;
  /** Copies an answer. One that no honest service gives closes the guard: clients also post what is in their answers. */
  const copyAnswer = (given: unknown): unknown => {
    try {
      const answer = copyUsual(given ?? null);
      assertHonest(answer, signInDomain);
      return answer;
    } catch (error) {
      // Text that is no JSON has no steps.
      if (!((error as Error).cause instanceof SyntaxError)) book.close(Number.POSITIVE_INFINITY);
      throw error;
    }
  };
  /** Closes the quotes that were requested before an answer that cannot be read: the page may execute it. */
  const judge = async (prove: () => Promise<QuoteRefusal | undefined>, sequence?: number) => {
    try {
      return verdictOf(await prove());
    } catch (error) {
      book.close(sequence);
      return verdictOf({ differences: [], reason: unprovable(error) });
    }
  };
  const add: QuoteGuard["internal"]["add"] = (learned, sequence) =>
    judge(async () => {
      const request = structuredClone(learned.request);
      const whole = async () => {
        const added = await policyFor?.(structuredClone(request));
        return { ...policy, ...added, now: undefined, trust };
      };
      const quote = copyAnswer(learned.quote) as Quote;
      const known = book.learn({ policy: whole, quote, request, sequence });
      await known.ready;
      return known.refusal;
    }, sequence);
  return {
    add: (learned) => add(learned, book.nextSequence()),
    append: (learned) =>
      judge(async () => book.append(learned.requestId, copyAnswer(learned.steps) as Step[])),
    internal: {
      add,
      allow: async (request) => (await allow?.(request)) === true,
      book,
      chainIds: new Set(trust.chains.map(({ chainId }) => chainId)),
      refuse: (refusal) => {
        const tell = async () => onRefused?.(refusal);
        // The refusal stands, whatever the page does with it.
        tell().catch(() => {});
      },
      signInDomain: () => (book.isShut ? undefined : signInDomain),
      sleep: pause,
    },
  };
}

function verdictOf(refusal: QuoteRefusal | undefined): QuoteVerdict {
  return { differences: [], ...refusal, isProven: refusal === undefined };
}

function readParameters(parameters: CreateQuoteGuardParameters): CreateQuoteGuardParameters {
  readObject(parameters, "parameters");
  const { policy, signInDomain } = parameters;
  const { trust = productionTrust } = readObject(policy, "policy") as QuotePolicy;
  const { chains } = readObject(trust, "policy.trust");
  // The proof reads the rest, for each quote.
  readList(chains, "policy.trust.chains", (chain, path) =>
    readChainId(readObject(chain, path)["chainId"], path),
  );
  for (const name of ["allow", "now", "onRefused", "policyFor", "sleep"] as const) {
    if (parameters[name] !== undefined) assertFunction(name, parameters[name]);
  }
  if (signInDomain !== undefined) readText(signInDomain, "signInDomain");
  return parameters;
}

/**
 * Expects the object that `createQuoteGuard` returned.
 *
 * @throws InvalidParameterError
 */
export function assertGuard(guard: unknown): asserts guard is QuoteGuard {
  const { internal } = readObject(guard, "guard") as Partial<QuoteGuard>;
  const { book } = Object(internal) as Partial<QuoteGuard["internal"]>;
  assertValid(book instanceof QuoteBook, "guard", "`createQuoteGuard` did not return it");
}

/**
 * Expects an answer, or its steps, as an honest service gives it. Clients post and sign what an answer holds: a request for
 * a quote would pass for the page's own, a message for the page's sign-in.
 *
 * @throws InvalidParameterError
 */
function assertHonest(answer: unknown, signInDomain: string | undefined): void {
  const { steps = answer } = Object(answer) as { readonly steps?: unknown };
  const items = [steps ?? []].flat().flatMap((step) => (Object(step) as { items?: unknown }).items);
  const signs = items.map((item) => Object(Object(Object(item).data).sign));
  const [message, types] = [signs.map(({ value }) => value), signs.map(({ types }) => types)];
  assertValid(hashesFast({ message, types }), "quote", "its typed data has too many parts");
  JSON.stringify(answer, (_, value: unknown) => {
    const isRequest = ["originChainId", "tradeType"].every((name) => Object.hasOwn(Object(value), name));
    const isMessage =
      typeof value === "string" && isSignIn(readMessage(value.slice(0, longestHead)), signInDomain);
    assertValid(!isRequest && !isMessage, "quote", "it holds a request for a quote, or a sign-in");
    return value;
  });
}
