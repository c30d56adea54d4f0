import { normalizeForComparison } from "../calls/verify/compareWhole.ts";
import { productionTrust } from "../calls/verify/productionTrust.ts";
import { startProof } from "../calls/verify/proveQuote.ts";
import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import { getSignature } from "../client/getSignature.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import type { Quote } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import { type ExecutionState, findItem } from "./ExecutionState.ts";
import type { Run } from "./Run.ts";

/** Parameters of `execute` that the proof needs. */
type AssertQuoteParameters = {
  quote: Quote;
  request?: QuoteIntent | undefined;
  verify?: QuotePolicy | false | undefined;
};

/** Proves a run's steps, including appended ones, and returns them with guards among their calls. */
export type AssertSteps = (appended: readonly Step[]) => Promise<readonly Step[]>;

/**
 * Prepares the proof of all steps of a run. The steps share one payment: appended steps may spend only its rest.
 *
 * @throws InvalidParameterError without a `request`.
 */
export async function startAssertion(run: Run, parameters: AssertQuoteParameters): Promise<AssertSteps> {
  const { quote, request, verify } = parameters;
  if (verify === false) {
    run.isProven = true;
    return async (appended) => [...quote.steps, ...appended];
  }
  if (request === undefined) {
    const reason =
      "a quote is proven against what was given to getQuote; `verify: false` turns the proof off";
    throw new InvalidParameterError({ parameter: "request", reason });
  }
  const { client, reader, signal, wallet } = run;
  const policy = { ...verify, reader: verify?.reader ?? reader };
  const prove = await startProof({ ...policy, quote, request }, (requestId) =>
    getSignature(client, { requestId, signal }),
  );
  const { chains } = verify?.trust ?? productionTrust;
  run.outputGuard = chains.find(({ chainId }) => chainId === run.originChainId)?.outputGuard;
  if (normalizeForComparison(request.user) !== normalizeForComparison(wallet.address)) {
    const reason = `it is ${request.user}, but the wallet's account is ${wallet.address}`;
    throw new InvalidParameterError({ parameter: "request.user", reason });
  }
  return async (appended) => {
    const steps = [...quote.steps, ...appended];
    run.isProven = false;
    // Items already sent are only awaited; their deadlines may be over.
    if (isAllDone(run.state, steps)) return steps;
    const { found, quote: proven } = await prove(appended, verify?.now ?? client.now());
    const [first, ...others] = found;
    if (first !== undefined) throw new QuoteMismatchError([first, ...others]);
    run.isProven = true;
    return proven.steps;
  };
}

/**
 * Whether no item is left to sign, and none to submit but signed transactions. Signature items are never `sent`: they are
 * submitted or not.
 */
export function isAllDone(state: ExecutionState, steps: readonly Step[]): boolean {
  return steps.every((step, stepIndex) =>
    step.items.every(({ status }, itemIndex) => {
      const recorded = findItem(state, { itemIndex, stepIndex });
      if (status === "complete" || recorded?.status === "complete") return true;
      const hasHandle = recorded?.txHash !== undefined || recorded?.batchId !== undefined;
      return step.kind === "transaction" && recorded?.status !== "sending" && hasHandle;
    }),
  );
}
