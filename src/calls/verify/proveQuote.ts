import { isAddress } from "viem";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { printable } from "../../errors/printable.ts";
import type { QuoteMismatch } from "../../errors/QuoteMismatchError.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import type { Step } from "../../schema/quote/step.ts";
import { mustHold, partLike, plainOf, type Unmet } from "./compareWhole.ts";
import { detailsOf, expectBounds, expectDetails } from "./expected/expectDetails.ts";
import { expectOrder } from "./expected/expectOrder.ts";
import { mustSweep } from "./expected/expectRouted.ts";
import { expectSteps } from "./expected/expectSteps.ts";
import type { ExpectedPayment } from "./expected/expectTransaction.ts";
import { findDifferences } from "./findDifferences.ts";
import { productionTrust } from "./productionTrust.ts";
import { readBounds } from "./readBounds.ts";
import { type FetchRecord, findReadMismatches, findRecordMismatches } from "./readChains.ts";
import { readQuote } from "./readQuote.ts";
import { settleClaim } from "./settleClaim.ts";
import { readTerms, type Terms } from "./Terms.ts";
import type { TrustRoots } from "./TrustRoots.ts";
import {
  type QuoteIntent,
  readVerifyParameters,
  type VerifyQuoteParameters,
} from "./VerifyQuoteParameters.ts";

/** A hostile quote may differ in any number of places, with texts of any length. */
const [mostDifferences, longestText] = [100, 300];

const noDepositAddress =
  "a payment to a contract: nobody signs whose a deposit address is. Ask without `useDepositAddress`, or compare it and pay with `verify: false`";

/** All differences, and the quote to execute: the expected bytes, with guards among the calls. */
type Proof = { readonly found: readonly QuoteMismatch[]; readonly quote: Quote };

/**
 * Fixes the request and bounds for all proofs of a run.
 *
 * @returns A function that proves the quote with the steps that the service appended to it.
 * @throws InvalidParameterError for an invalid part, by name.
 */
export async function startProof(
  parameters: VerifyQuoteParameters,
  fetchRecord?: FetchRecord,
): Promise<(appended: readonly Step[], now?: number) => Promise<Proof>> {
  const { policy, request } = readVerifyParameters(parameters);
  const { trust = productionTrust } = policy;
  assertAddresses(request, trust);
  const copy = readQuote(parameters.quote);
  const bounds = await readBounds(policy, request);
  return async (appended, now = policy.now ?? Date.now()) => {
    const steps = [...copy.steps, ...appended];
    const quote = appended.length === 0 ? copy : readQuote({ ...copy, steps });
    const proof = await prove(readTerms({ bounds, now, policy, quote, request, trust }), fetchRecord);
    return { ...proof, found: proof.found.slice(0, mostDifferences).map(toPrintable) };
  };
}

/** Chain reads come last, and only for a quote without differences. */
async function prove(terms: Terms, fetchRecord?: FetchRecord): Promise<Proof> {
  const { quote } = terms;
  for (const [index, { depositAddress: actual }] of quote.steps.entries()) {
    if (!actual) continue;
    const path = `steps.${index}.depositAddress`;
    return { found: [{ actual, code: "QUOTE_TARGET", expected: noDepositAddress, path }], quote };
  }
  const { payment, paymentPath, ...steps } = expectSteps(terms);
  if (payment?.kind === "request") steps.unmet.push(...expectAccepted(terms));
  const found = [...(await compareQuote(terms, steps, payment))];
  if (found.length > 0) return { found, quote };
  found.push(...(await findReadMismatches(terms, payment?.codeless)));
  if (payment?.kind === "request") found.push(...(await findRecordMismatches(terms, fetchRecord)));
  if (found.length > 0) return { found, quote };
  const plain = plainOf<Readonly<Record<string, object>>>(steps.expected);
  if (payment?.claim === undefined) return { found, quote: withExpected(quote, plain) };
  const claim = { ...payment.claim, path: `steps.${paymentPath}` };
  const settled = await settleClaim(terms, claim, plain[paymentPath] as never);
  return { found: settled.found, quote: withExpected(quote, { ...plain, [paymentPath]: settled.sent }) };
}

/** Compares the one expected quote with the actual one as a whole. `adapt` is for withdrawals from the exchange. */
export async function compareQuote(
  terms: Terms,
  steps: { readonly actual: object; readonly expected: object; readonly unmet: readonly Unmet[] },
  payment: Pick<ExpectedPayment, "isSwapped" | "kind"> | undefined,
  adapt = <Expected extends Record<"details" | "protocol", object>>(expected: Expected) => expected,
): Promise<readonly QuoteMismatch[]> {
  const { destination, quote } = terms;
  const sweep = payment?.kind === "order" ? mustSweep(terms, destination?.routers ?? []) : [];
  const expected = adapt({
    ...expectBounds(terms),
    details: expectDetails(terms),
    // After an ERC-2612 permit, the service appends a payment by a router, for this order.
    protocol: { v2: await expectOrder(terms, payment ?? { isSwapped: true, kind: terms.kind }) },
    requestIds: quote.steps.map(({ requestId }) => requestId && terms.requestId),
    steps: steps.expected,
    conditions: { ...[...steps.unmet, ...sweep] },
  });
  return findDifferences(expected, {
    details: partLike(expected.details, detailsOf(terms)),
    protocol: { v2: partLike(expected.protocol.v2, quote.protocol?.v2 ?? {}) },
    requestIds: quote.steps.map(({ requestId }) => requestId),
    steps: steps.actual,
    conditions: {},
  });
}

/** The solver's record of a request names neither output nor calls. */
function expectAccepted({ policy, txs }: Terms): readonly Unmet[] {
  const paid = "a payment under a request id";
  return [
    ...mustHold(policy.allowUnsignedOutput === true, "a deposit for an order", "QUOTE_UNSIGNED_OUTPUT", paid),
    ...mustHold(txs.length === 0, "an order that holds the calls", "QUOTE_CALLS", paid),
  ];
}

/** What a person reads of a difference is the service's text. */
function toPrintable({ actual, code, expected, path }: QuoteMismatch): QuoteMismatch {
  const show = (text: string) => printable(text, longestText);
  return { actual: show(actual), code, expected: show(expected), path: show(path) };
}

/** The quote with the expected data of each item by its path: what is signed is never the service's own text. */
function withExpected(quote: Quote, expected: Readonly<Record<string, object>>): Quote {
  const steps = quote.steps.map((step, stepIndex) => ({
    ...step,
    items: step.items.map((item, itemIndex) => {
      return { ...item, data: expected[`${stepIndex}.items.${itemIndex}.data`] };
    }),
  }));
  // A top-up is in no signature, so a proven quote shows none.
  const { currencyGasTopup: _, ...details } = quote.details;
  return { ...quote, details, steps: steps as Quote["steps"] };
}

/** The service also accepts currency ids, and could take names. Only its API resolves them, which a proof must not trust. */
function assertAddresses(request: QuoteIntent, trust: TrustRoots): void {
  const names = { destination: ["recipient"], origin: ["refundTo", "user"] } as const;
  for (const side of ["origin", "destination"] as const) {
    const chainId = request[`${side}ChainId`];
    const chain = trust.chains.find((each) => each.chainId === chainId);
    if (chain === undefined || (chain.vmType ?? "evm") !== "evm") continue;
    for (const name of [`${side}Currency`, ...names[side]] as const) {
      const { [name]: text } = request;
      if (text === undefined || isAddress(text, { strict: false })) continue;
      const reason = `${JSON.stringify(text)} is not an address. Pass the address on chain ${chainId}, from a list of your own`;
      throw new InvalidParameterError({ parameter: `request.${name}`, reason });
    }
  }
}
