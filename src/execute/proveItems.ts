import { isSame } from "../calls/verify/compareWhole.ts";
import { boundOpenSeconds } from "../calls/verify/expected/expectOrder.ts";
import { productionTrust } from "../calls/verify/productionTrust.ts";
import { startProof } from "../calls/verify/proveQuote.ts";
import { type QuoteIntent, type QuotePolicy, recordSchema } from "../calls/verify/VerifyQuoteParameters.ts";
import { throwMismatches } from "../errors/QuoteMismatchError.ts";
import { assertValid } from "../internal/readParts.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { checkItems } from "./checkItems.ts";
import { readInTime } from "./poll.ts";
import { hasPayment, isAllSent, listItems, listOpenItems, type Run } from "./Run.ts";

/** Parameters of `execute` that the proof needs. */
type ProofParameters = {
  quote: Quote;
  request?: QuoteIntent | undefined;
  verify?: QuotePolicy | false | undefined;
};

/**
 * Prepares the proof of all items of a run. They share one payment: appended items may spend only its rest.
 *
 * @returns The function that checks and proves the items, including appended ones, and puts guards among their calls.
 */
export async function startProofs(run: Run, parameters: ProofParameters): Promise<() => Promise<void>> {
  const { quote, request, verify } = parameters;
  const { client, originChainId, reader, signal, wallet } = run;
  let prove: Awaited<ReturnType<typeof startProof>> | undefined;
  if (verify !== false) {
    assertValid(request !== undefined, "request", "the proof needs it; `verify: false` turns that off");
    const policy = { ...verify, reader: verify?.reader ?? reader };
    prove = await startProof({ ...policy, quote, request }, (requestId) =>
      client.request({
        operation: "reading the signed record of a request",
        path: `/requests/${requestId}/signature`,
        schema: recordSchema,
        signal,
      }),
    );
    const closes = quote.protocol?.v2?.orderData?.output.deadline;
    const { least } = boundOpenSeconds(verify?.maximumFillSeconds, request.ttl);
    // The caller's `now` may differ from the client's clock.
    run.deadline = closes && (closes - least) * 1_000 - (verify?.now ?? client.now()) + client.now();
    const { chains } = verify?.trust ?? productionTrust;
    run.outputGuard = chains.find(({ chainId }) => chainId === originChainId)?.outputGuard;
    const { address } = wallet.account;
    const other = `it is ${request.user}, but the wallet's account is ${address}`;
    assertValid(isSame(request.user, address), "request.user", other);
  }
  const proveAll = async () => {
    const { appendedSteps } = run.state;
    run.items = listItems(quote.steps, appendedSteps);
    run.isProven = verify === false;
    checkItems(run);
    // Items already sent are only awaited; their deadlines may be over.
    if (verify === false || prove === undefined || isAllSent(run)) return;
    const proof = prove(appendedSteps, verify?.now ?? client.now());
    const { found, quote: proven } = await readInTime(run, "proving the quote", proof);
    throwMismatches(found);
    run.items = listItems(proven.steps);
    run.isProven = true;
  };
  return () =>
    proveAll().catch((error: unknown) => {
      // After a payment, appended steps that cannot be proven are left out, and the request is followed.
      const items = listItems(quote.steps);
      if (run.isProven || !hasPayment(run) || listOpenItems({ ...run, items }).length > 0) throw error;
      run.items = items;
    });
}
