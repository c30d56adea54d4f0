import { startProof } from "../calls/verify/proveQuote.ts";
import { findReadMismatches } from "../calls/verify/readChains.ts";
import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import { BaseError } from "../errors/BaseError.ts";
import { type QuoteMismatch, QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import type { PaymentIdentity } from "../execute/paymentLedger.ts";
import { readText } from "../internal/readParts.ts";
import type { Sleep } from "../internal/sleep.ts";
import { exchangeChainId } from "../perps/constants.ts";
import { nonceMappingTypedData } from "../perps/nonceMapping.ts";
import { sendAssetTypedData } from "../perps/sendAsset.ts";
import { proveWithdrawal } from "../perps/verifyWithdrawal.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import { type GuardItem, readItems, signatureItem } from "./GuardItem.ts";
import { within } from "./within.ts";

/** Milliseconds after which a proof counts as failed. */
const longestProof = 30_000;
/** Milliseconds after which bounds are read again: prices move. */
const boundsLifetime = 60_000;

/** Why a quote is not proven. */
export type QuoteRefusal = { readonly reason: string; readonly differences: readonly QuoteMismatch[] };

/** Refusal of a quote whose first proof is under way. */
export const notProvenYet: QuoteRefusal = { differences: [], reason: "its quote is not proven yet" };

/** A wallet request for an item: whether the wallet still works on it, since when, and the block before it. */
type AskedItem = {
  readonly isPending: boolean;
  readonly at: number;
  readonly fromBlock: bigint | undefined;
};

/** A quote of the page, with its proof and the state of its items. */
export type LearnedQuote = {
  readonly quote: Quote;
  /** Position of the page's request among its requests and payments. */
  readonly sequence: number;
  /** The account: its payments are made one after the other, whichever chain an answer names. */
  readonly line: string;
  /** The request as text, to compare. */
  readonly requestText: string;
  readonly appended: Step[];
  /** Requests whose answer is missing or left the outcome open, by the item's key. */
  readonly asked: Map<string, AskedItem>;
  /** Whether the page received an answer to another, newer request of the line. */
  isReplaced: boolean;
  /** Identity of the payment, known once a proof has read the quote. */
  payment: (PaymentIdentity & { readonly requestId: string | undefined }) | undefined;
  /** Settles when the latest proof has ended. Never rejects. */
  ready: Promise<unknown>;
  /** Settles when the latest wallet request for an item has ended. */
  underway: Promise<void> | undefined;
  /** Differences, or why there is no proof. Undefined when the quote is proven. */
  refusal: QuoteRefusal | undefined;
  /** Items of the proven quote; without a proof, those that the app may ask for. */
  items: readonly GuardItem[];
  /** Index of the next open item; those before it were sent or signed. */
  next: number;
  /** Hash of the latest transaction. */
  sentHash: string | undefined;
  /** Proves the quote as it is now. Returns why it is not proven. A proven quote stays so: what fails now may not fail the next time. */
  prove(): Promise<QuoteRefusal | undefined>;
  /** Adds steps if the quote is proven with them. Returns the differences otherwise. Idempotent. */
  append(steps: readonly Step[]): Promise<QuoteRefusal | undefined>;
};

export type LearnQuoteParameters = {
  readonly request: QuoteIntent;
  readonly quote: Quote;
  readonly policy: () => Promise<QuotePolicy>;
  readonly sequence: number;
  readonly now: () => number;
  readonly sleep: Sleep;
};

/**
 * Starts the proof of a quote. Owns its arguments: the caller passes copies.
 *
 * @throws for a request that cannot be compared with others.
 */
export function learnQuote(parameters: LearnQuoteParameters): LearnedQuote {
  const { now, policy, quote, request, sequence, sleep } = parameters;
  let started: { readonly at: number; readonly prove: ReturnType<typeof startItems> } | undefined;
  const judge = async (appended: readonly Step[]): Promise<Pick<LearnedQuote, "items" | "refusal">> => {
    try {
      if (started === undefined || now() - started.at >= boundsLifetime) {
        started = {
          at: now(),
          prove: policy().then((known) => startItems({ policy: known, quote, request })),
        };
      }
      const { differences, readItems: items } = await (await started.prove)(appended, now());
      learned.payment ??= identify(quote);
      const refusal = differences.length > 0 ? { differences, reason: "its quote is not proven" } : undefined;
      return { items: items(), refusal };
    } catch (error) {
      started = undefined;
      return unproven(unprovable(error));
    }
  };
  const unproven = (reason: string) => ({
    items: readUnproven(quote, request),
    refusal: { differences: learned.refusal?.differences ?? [], reason },
  });
  const limited = (appended: readonly Step[]) =>
    within(judge(appended), longestProof, sleep).catch(() => unproven("its proof takes too long"));
  const learned: LearnedQuote = {
    append: async (steps) => {
      const text = JSON.stringify(steps);
      const { appended, items, next } = learned;
      const isKnown = appended.some(
        (_, index) => JSON.stringify(appended.slice(index, index + steps.length)) === text,
      );
      if (isKnown || learned.refusal !== undefined) return learned.refusal;
      if (items.at(-1)?.kind !== "signature" || next < items.length)
        return { differences: [], reason: "nothing was signed that appended steps could continue" };
      const result = await limited([...appended, ...steps]);
      if (result.refusal !== undefined) return result.refusal;
      appended.push(...steps);
      learned.items = result.items;
      return undefined;
    },
    appended: [],
    asked: new Map(),
    isReplaced: false,
    items: readUnproven(quote, request),
    line: readText(request.user, "request.user").toLowerCase(),
    next: 0,
    payment: undefined,
    prove: async () => {
      const result = await limited(learned.appended);
      if (result.refusal === undefined || learned.refusal !== undefined) Object.assign(learned, result);
      return result.refusal;
    },
    quote,
    ready: Promise.resolve(),
    refusal: notProvenYet,
    requestText: textOf(request),
    sentHash: undefined,
    sequence,
    underway: undefined,
  };
  learned.ready = learned.prove();
  return learned;
}

/** Why a quote has no proof, by the error. */
export function unprovable(error: unknown): string {
  const told = error instanceof BaseError ? `: ${error.shortMessage}` : "";
  return `its quote cannot be proven${told.replace(/\.$/, "")}`;
}

/** The proof compares the order's id with its hash. */
function identify({ protocol, steps }: Quote): LearnedQuote["payment"] {
  const { orderData, orderId } = protocol?.v2 ?? {};
  const requestId = steps.find((step) => step.requestId !== undefined)?.requestId;
  const deadline = orderData === undefined ? undefined : orderData.output.deadline * 1_000;
  return { deadline, ids: [orderId, requestId].filter((id) => id !== undefined), requestId };
}

/** Items of an answer as it came, as far as they can be read: an unproven answer forbids its bytes. */
function readUnproven(quote: Quote, request: QuoteIntent): readonly GuardItem[] {
  const { steps } = Object(quote) as Partial<Quote>;
  const each = Array.isArray(steps) ? steps : [];
  return each.flatMap((step) => {
    const items: unknown = (step as Partial<Step> | null)?.items;
    return (Array.isArray(items) ? items : []).flatMap((item) => {
      const one = { ...quote, steps: [{ ...step, items: [item] }] } as Quote;
      try {
        return readItems(one, one, request);
      } catch {
        return [];
      }
    });
  });
}

/** Fields in order, hexadecimal text without letter case: other addresses, as of Solana, have one. The guard itself asks for the order's signature. */
function textOf(request: QuoteIntent): string {
  const plain = (_: string, value: unknown) => {
    if (typeof value === "bigint") return `${value}`;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1)));
  };
  return JSON.stringify({ ...request, includeProtocolData: true }, plain).replace(/"0x[0-9a-f]*"/gi, (hex) =>
    hex.toLowerCase(),
  );
}

/** Differences of a quote, and its items: proven ones, or those that the app may ask for. */
type ProvenItems = {
  readonly differences: readonly QuoteMismatch[];
  readonly readItems: () => readonly GuardItem[];
};

type StartItemsParameters = Pick<LearnQuoteParameters, "quote" | "request"> & {
  readonly policy: QuotePolicy;
};

/** Fixes request and bounds. Returns the function that proves the quote with its appended steps. */
async function startItems({
  policy,
  quote,
  request,
}: StartItemsParameters): Promise<(appended: readonly Step[], now: number) => Promise<ProvenItems>> {
  if (request.originChainId === exchangeChainId) {
    return (_, now) => readWithdrawal({ policy: { ...policy, now }, quote, request });
  }
  const prove = await startProof({ ...policy, quote, request });
  return async (appended, now) => {
    const { found: differences, quote: proven } = await prove(appended, now);
    const given = { ...quote, steps: [...quote.steps, ...appended] };
    return { differences, readItems: () => readItems(given, proven, request) };
  };
}

/** The client signs for the wallet's chain, whichever it is: the chain of these domains does not affect the funds. */
async function readWithdrawal({ policy, quote, request }: StartItemsParameters): Promise<ProvenItems> {
  try {
    const parameters = { ...policy, quote, request };
    const withdrawal = await proveWithdrawal(parameters, (terms) => findReadMismatches(terms, undefined));
    const { authorize, deposit, nonce, wallet } = withdrawal;
    const chainIds =
      policy.trust?.chains.map(({ chainId }) => chainId).filter((id) => id !== exchangeChainId) ?? [];
    const mappings = chainIds.map((chainId) =>
      nonceMappingTypedData({ ...authorize.mapping, chainId, nonce }),
    );
    const transfers = chainIds.map((chainId) =>
      sendAssetTypedData({ chainId, parameters: deposit.parameters }),
    );
    return {
      differences: [],
      readItems: () => [signatureItem(wallet, mappings), signatureItem(wallet, transfers)],
    };
  } catch (error) {
    if (!(error instanceof QuoteMismatchError)) throw error;
    return { differences: error.mismatches, readItems: () => [] };
  }
}
