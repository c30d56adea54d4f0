import { isAddress } from "viem";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { printable } from "../../errors/printable.ts";
import type { QuoteMismatch } from "../../errors/QuoteMismatchError.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import type { Step } from "../../schema/quote/step.ts";
import { assertVerifyParameters } from "./assertVerifyParameters.ts";
import { encodeWhole, mustHold, partLike, plainOf, type Unmet } from "./compareWhole.ts";
import { detailsOf, expectBounds, expectDetails } from "./expected/expectDetails.ts";
import { expectOrder } from "./expected/expectOrder.ts";
import { mustSweep } from "./expected/expectRouted.ts";
import { type ExpectedSteps, expectSteps } from "./expected/expectSteps.ts";
import { explain } from "./explain.ts";
import { productionTrust } from "./productionTrust.ts";
import { readBounds } from "./readBounds.ts";
import { type FetchRecord, findReadMismatches, findRecordMismatches } from "./readChains.ts";
import { readQuote } from "./readQuote.ts";
import { settleClaims } from "./settleClaims.ts";
import { kindOf, readTerms, type Terms } from "./Terms.ts";
import type { VerifyQuoteParameters } from "./VerifyQuoteParameters.ts";

/** A hostile quote may differ in any number of places, with texts of any length. */
const [mostDifferences, longestText] = [100, 300];

/** Result of a proof. */
type Proof = {
  /** All differences; empty when the quote is proven. */
  readonly found: readonly QuoteMismatch[];
  /** The quote to execute: the expected bytes, with guards among the calls. */
  readonly quote: Quote;
};

/** Proves the quote with the steps that the service appended to it. */
export type Prove = (appended: readonly Step[], now?: number) => Promise<Proof>;

/**
 * Fixes the request and bounds for all proofs of a run.
 *
 * @throws InvalidParameterError for an invalid part, by name.
 */
export async function startProof(
  parameters: VerifyQuoteParameters,
  fetchRecord: FetchRecord = async () => undefined,
): Promise<Prove> {
  assertVerifyParameters(parameters);
  assertCurrencies(parameters);
  const { quote: given, request, ...policy } = parameters;
  const copy = readQuote(given);
  const bounds = await readBounds(policy, request);
  const { trust = productionTrust } = policy;
  return async (appended, now = policy.now ?? Date.now()) => {
    const quote = { ...copy, steps: [...copy.steps, ...appended] };
    const proof = await prove(readTerms({ bounds, now, policy, quote, request, trust }), fetchRecord);
    return { ...proof, found: proof.found.slice(0, mostDifferences).map(toPrintable) };
  };
}

/**
 * Builds the one expected quote, and compares it with the actual one as a whole. Chain reads come last, and only for a
 * quote without differences.
 */
async function prove(terms: Terms, fetchRecord: FetchRecord): Promise<Proof> {
  const { quote } = terms;
  const address = quote.steps.findIndex(({ depositAddress }) => (depositAddress ?? "") !== "");
  if (address >= 0) return { found: [noDepositAddress(quote, address)], quote };
  const steps = expectSteps(terms);
  const ids = quote.steps.map(({ requestId }) => requestId);
  const expected = {
    ...expectBounds(terms),
    details: expectDetails(terms),
    // After an ERC-2612 permit, the service appends a payment by a router, for this order.
    protocol: { v2: await expectOrder(terms, steps.payment ?? { isSwapped: true, kind: kindOf(terms) }) },
    requestIds: ids.map((id) => id && terms.requestId),
    steps: steps.expected,
    conditions: { ...[...steps.unmet, ...expectedOutput(terms, steps)] },
  };
  const actual = {
    details: partLike(expected.details, detailsOf(terms)),
    protocol: { v2: partLike(expected.protocol.v2, quote.protocol?.v2 ?? {}) },
    requestIds: ids,
    steps: steps.actual,
    conditions: {},
  };
  if (encodeWhole(expected) !== encodeWhole(actual)) return { found: explain(expected, actual), quote };
  const found = [...(await findReadMismatches(terms, steps.payment?.codeless))];
  if (steps.payment?.kind === "request") found.push(...(await findRecordMismatches(terms, fetchRecord)));
  if (found.length > 0) return { found, quote };
  return settleClaims(terms, steps.claims, withExpected(quote, steps));
}

/** Calls across chains sweep the router that the order pays. The solver's record of a request names neither output nor calls. */
function expectedOutput(terms: Terms, { payment }: ExpectedSteps): readonly Unmet[] {
  const { destination, policy, txs } = terms;
  if (payment?.kind === "order") return mustSweep(terms, destination?.routers ?? []);
  if (payment?.kind !== "request") return [];
  const paid = "a payment under a request id";
  return [
    ...mustHold(policy.allowUnsignedOutput === true, "a deposit for an order", "QUOTE_UNSIGNED_OUTPUT", paid),
    ...mustHold(txs.length === 0, "an order that holds the calls", "QUOTE_CALLS", paid),
  ];
}

/** What a person reads of a difference is the service's text. */
function toPrintable({ actual, code, expected, path }: QuoteMismatch): QuoteMismatch {
  const [shown, wanted, place] = [actual, expected, path].map((text) => printable(text, longestText));
  return { actual: shown ?? "", code, expected: wanted ?? "", path: place ?? "" };
}

function noDepositAddress({ steps }: Quote, index: number): QuoteMismatch {
  const expected =
    "a payment to a contract of the service: nobody signs whose a deposit address is. Ask without `useDepositAddress`, or pay with `verify: false` after you compared the address yourself";
  const actual = String(steps[index]?.depositAddress);
  return { actual, code: "QUOTE_TARGET", expected, path: `steps.${index}.depositAddress` };
}

/** The quote with the expected data of each item: what is signed is never the service's own text. */
function withExpected(quote: Quote, { expected }: ExpectedSteps): Quote {
  const byPath = plainOf<Record<string, object>>(expected);
  const steps = quote.steps.map((step, stepIndex) => ({
    ...step,
    items: step.items.map((item, itemIndex) => {
      const { data } = item as { readonly data?: { readonly post?: object } };
      const { post, ...fields } = byPath[`${stepIndex}.items.${itemIndex}.data`] as {
        readonly post?: object;
      };
      return { ...item, data: { ...data, ...fields, ...(post && { post: { ...data?.post, ...post } }) } };
    }),
  }));
  // A top-up is in no signature, so a proven quote shows none.
  const { currencyGasTopup: _, ...details } = quote.details;
  return { ...quote, details, steps: steps as Quote["steps"] };
}

/** The service also accepts currency ids. Only its API resolves them, which a proof must not trust. */
function assertCurrencies({ request, trust = productionTrust }: VerifyQuoteParameters): void {
  for (const side of ["origin", "destination"] as const) {
    const chainId = request[`${side}ChainId`];
    const currency = request[`${side}Currency`];
    const chain = trust.chains.find((each) => each.chainId === chainId);
    if (chain === undefined || (chain.vmType ?? "evm") !== "evm" || isAddress(currency, { strict: false }))
      continue;
    throw new InvalidParameterError({
      parameter: `request.${side}Currency`,
      reason: `${JSON.stringify(currency)} is not an address. Pass the currency's address on chain ${chainId}, from a list of your own`,
    });
  }
}
