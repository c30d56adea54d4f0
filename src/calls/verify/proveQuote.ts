import { isAddress } from "viem";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import type { QuoteMismatch } from "../../errors/QuoteMismatchError.ts";
import { hashQuotedOrder } from "../../records/hashQuotedOrder.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import type { Step } from "../../schema/quote/step.ts";
import { assertVerifyParameters } from "./assertVerifyParameters.ts";
import { checkCurrencies } from "./checkCurrencies.ts";
import { checkDetails } from "./checkDetails.ts";
import { checkOrder } from "./checkOrder.ts";
import { checkPlan } from "./checkPlan.ts";
import { checkRecord, type FetchRecord } from "./checkRecord.ts";
import { checkSignature } from "./checkSignature.ts";
import { checkTransaction } from "./checkTransaction.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import { productionTrust } from "./productionTrust.ts";
import { expectEqual, type QuoteCheck, report } from "./QuoteCheck.ts";
import { type Bounds, readBounds } from "./readBounds.ts";
import { readWanted } from "./readWanted.ts";
import { settleClaims } from "./settleClaims.ts";
import type { TrustRoots } from "./TrustRoots.ts";
import type { VerifyQuoteParameters } from "./VerifyQuoteParameters.ts";

/** Result of a proof. */
export type Proof = {
  /** All differences; empty when the quote is proven. */
  readonly found: readonly QuoteMismatch[];
  /** The quote to execute, with guards among its calls. */
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
  const bounds = await readBounds(parameters, parameters.request);
  return async (appended, now = parameters.now ?? Date.now()) => {
    const quote = { ...parameters.quote, steps: [...parameters.quote.steps, ...appended] };
    return prove({ ...parameters, now, quote }, bounds, fetchRecord);
  };
}

async function prove(
  { quote, request, ...policy }: VerifyQuoteParameters,
  bounds: Bounds,
  fetchRecord: FetchRecord,
): Promise<Proof> {
  const { now = 0, trust = productionTrust } = policy;
  const wanted = readWanted(quote, request, bounds.floor);
  const check: QuoteCheck = {
    approvals: [],
    chains: {
      destination: chainOf(trust, wanted.destinationChainId),
      origin: chainOf(trust, wanted.originChainId),
    },
    claims: [],
    found: [],
    mappings: [],
    now: Math.floor(now / 1000),
    orderId: hashQuotedOrder(quote, trust.chains),
    payments: [],
    permits: [],
    policy,
    quote,
    requestId: quote.steps.find(({ requestId }) => requestId !== undefined)?.requestId,
    solvers: new Set(trust.solvers.map(normalizeForComparison)),
    wanted,
  };
  checkDetails(check, bounds);
  checkChains(check, trust);
  await checkOrder(check);
  checkSteps(check);
  checkPlan(check);
  if (request === undefined) return { found: check.found, quote };
  if (check.payments.some(({ kind }) => kind === "request")) {
    await checkRecord(check, fetchRecord);
  }
  // Chain reads come last, and only for a quote without differences so far.
  if (check.found.length > 0) return { found: check.found, quote };
  await checkCurrencies(check);
  if (check.claims.length === 0) return { found: check.found, quote };
  return { found: check.found, quote: await settleClaims(check, quote) };
}

/** The service also accepts currency ids. Only its API resolves them, which a proof must not trust. */
function assertCurrencies({ request, trust = productionTrust }: VerifyQuoteParameters): void {
  if (request === undefined) return;
  for (const side of ["origin", "destination"] as const) {
    const chainId = request[`${side}ChainId`];
    const currency = request[`${side}Currency`];
    const chain = chainOf(trust, chainId);
    if (chain === undefined || (chain.vmType ?? "evm") !== "evm" || isAddress(currency, { strict: false }))
      continue;
    throw new InvalidParameterError({
      parameter: `request.${side}Currency`,
      reason: `${JSON.stringify(currency)} is not an address. Pass the currency's address on chain ${chainId}, from a list of your own`,
    });
  }
}

function chainOf({ chains }: TrustRoots, id: number) {
  return chains.find(({ chainId }) => chainId === id);
}

function checkChains(check: QuoteCheck, trust: TrustRoots): void {
  const { chains, wanted } = check;
  if (wanted.request === undefined) return;
  const sides = [
    ["details.currencyIn.currency.chainId", chains.origin, wanted.originChainId],
    ["details.currencyOut.currency.chainId", chains.destination, wanted.destinationChainId],
  ] as const;
  const named = `one of \`trust\` (${trust.chains.map(({ chainId }) => chainId)})`;
  for (const [path, chain, chainId] of sides) {
    if (chain === undefined) report(check, "QUOTE_UNKNOWN_CHAIN", path, named, chainId);
  }
  const vmType = chains.origin?.vmType ?? "evm";
  if (vmType !== "evm") report(check, "QUOTE_CALL", "steps", "EVM transactions", vmType);
}

function checkSteps(check: QuoteCheck): void {
  const { quote, requestId, wanted } = check;
  for (const [stepIndex, step] of quote.steps.entries()) {
    const path = `steps.${stepIndex}`;
    if (step.requestId !== undefined) {
      expectEqual(check, "QUOTE_REQUEST_ID", `${path}.requestId`, requestId, step.requestId);
    }
    for (const itemIndex of step.items.keys()) checkItem(check, step, { itemIndex, path });
  }
  if (wanted.request !== undefined && !/^0x[0-9a-fA-F]{64}$/.test(String(requestId))) {
    report(check, "QUOTE_REQUEST_ID", "steps", "32 bytes in hexadecimal", requestId);
  }
}

function checkItem(
  check: QuoteCheck,
  step: Step,
  { itemIndex, path }: { readonly itemIndex: number; readonly path: string },
): void {
  const at = `${path}.items.${itemIndex}.data`;
  if (step.kind === "signature") {
    const data = step.items[itemIndex]?.data;
    if (data !== undefined) {
      checkSignature(check, data, at);
      return;
    }
  } else if (step.kind === "transaction") {
    const data = step.items[itemIndex]?.data;
    if (data?.to !== undefined) {
      checkTransaction(check, data, at);
      return;
    }
  }
  if (check.wanted.request !== undefined) {
    report(check, "QUOTE_CALL", at, "an EVM transaction or a signature", (step as Step).kind);
  }
}
