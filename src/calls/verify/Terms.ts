import { getAddress, type Hex, isAddress, zeroAddress } from "viem";
import { hashQuotedOrder } from "../../records/normalizeOrder.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import type { Call } from "../Call.ts";
import { toCall } from "../toCall.ts";
import { normalizeForComparison, pick, Unmet } from "./compareWhole.ts";
import type { Bounds } from "./readBounds.ts";
import type { TrustedChain, TrustRoots } from "./TrustRoots.ts";
import type { QuoteIntent, QuotePolicy } from "./VerifyQuoteParameters.ts";

/** What the caller asked for, trusts and accepts, and the quote that is compared with it. */
export type Terms = {
  /** The user's payment, in smallest units. */
  readonly amountIn: bigint;
  readonly bounds: Bounds;
  /** Undefined for an untrusted chain. */
  readonly destination: TrustedChain | undefined;
  /** Whether the input is the origin chain's native currency. */
  readonly isNative: boolean;
  readonly isSameChain: boolean;
  /** How a payment without a form of its own is made. */
  readonly kind: "order" | "sameChain";
  /** Minimum output: the higher of the caller's bound and the minimum that the quote shows. */
  readonly minimumOut: bigint;
  /** Unix seconds, whole. */
  readonly now: number;
  /** Hash of the quote's order, whatever id the quote states. */
  readonly orderId: Hex | undefined;
  /** Undefined for an untrusted chain. */
  readonly origin: TrustedChain | undefined;
  /** Accounts that may receive native refunds and NFTs: user, recipient, `refundTo`. */
  readonly ownAccounts: readonly string[];
  readonly policy: QuotePolicy;
  readonly quote: Quote;
  readonly recipient: string;
  readonly request: QuoteIntent;
  readonly requestId: string | undefined;
  readonly trust: TrustRoots;
  readonly txs: readonly Call[];
};

/** Reads the terms of a proof. `now` is in Unix milliseconds. */
export function readTerms({
  now,
  ...given
}: Pick<Terms, "bounds" | "now" | "policy" | "quote" | "request" | "trust">): Terms {
  const { bounds, quote, trust } = given;
  const request = withChecksums(given.request);
  const { destinationChainId, originChainId, originCurrency, refundTo, user } = request;
  const { currencyIn, currencyOut } = quote.details;
  const shown = BigInt(currencyOut.minimumAmount ?? currencyOut.amount);
  const chainOf = (id: number) => trust.chains.find(({ chainId }) => chainId === id);
  const isSameChain = originChainId === destinationChainId;
  const isOrder = quote.protocol?.v2?.orderData !== undefined || !isSameChain;
  const recipient = request.recipient ?? user;
  return {
    ...given,
    request,
    amountIn: BigInt(request.tradeType === "EXACT_INPUT" ? request.amount : currencyIn.amount),
    destination: chainOf(destinationChainId),
    isNative: normalizeForComparison(originCurrency) === zeroAddress,
    isSameChain,
    kind: isOrder ? "order" : "sameChain",
    minimumOut: bounds.floor > shown ? bounds.floor : shown,
    now: Math.floor(now / 1_000),
    orderId: hashQuotedOrder(quote, trust.chains),
    origin: chainOf(originChainId),
    ownAccounts: [user, recipient, refundTo ?? user],
    recipient,
    requestId: quote.steps.find(({ requestId }) => requestId !== undefined)?.requestId,
    txs: (request.txs ?? []).map((call, index) => toCall(call, `request.txs[${index}]`)),
  };
}

/** Encoders and wallets refuse an address whose letter case contradicts its checksum. */
function withChecksums(request: QuoteIntent): QuoteIntent {
  const fields = Object.entries(request).map(([name, value]) => {
    const address = typeof value === "string" ? value.toLowerCase() : "";
    return [name, isAddress(address) ? getAddress(address) : value];
  });
  return Object.fromEntries(fields);
}

/** The contract of a role that equals the actual one, or the first. `QUOTE_UNKNOWN_ROLE` for a role without any. */
export function contractOf(
  role: string,
  contracts: readonly (string | undefined)[],
  actual: unknown,
): string | Unmet {
  const known = contracts.filter((each) => each !== undefined);
  return pick(known, actual) ?? new Unmet(`a trusted ${role}`, "QUOTE_UNKNOWN_ROLE", "none is known");
}

/** Allowed difference between the service's clock and the caller's, in seconds. */
const clockSkew = 60;

/**
 * A deadline of the quote: more than `least` seconds away, and at most `most`. In words otherwise.
 *
 * @param deadline Unix seconds.
 */
export function chooseDeadline<T extends number | string>(
  { now }: Terms,
  deadline: T,
  most: number,
  least = 0,
) {
  const [first, last] = [now + least, Math.floor(now + most + clockSkew)];
  if (BigInt(deadline) <= BigInt(first)) return new Unmet(`after ${first}`, "QUOTE_DEADLINE");
  return BigInt(deadline) <= BigInt(last) ? deadline : new Unmet(`at most ${last}`, "QUOTE_DEADLINE");
}

/** A duration of the request, or the usual one. The policy's maximum holds whatever the request asks for. */
export function boundSeconds(usual: number, maximum?: number, asked?: number): number {
  return Math.min(asked ?? maximum ?? usual, maximum ?? Number.POSITIVE_INFINITY);
}
