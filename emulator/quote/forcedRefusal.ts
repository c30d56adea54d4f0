import type { QuoteRequest } from "../../src/schema/quote/quoteRequest.ts";
import type { Context } from "../context/Context.ts";
import { QuoteError } from "../errors/QuoteError.ts";

/**
 * Refuses a quote or a price if a fault says so.
 *
 * @throws QuoteError with the fault's code.
 */
export async function assertNotForced(
  request: QuoteRequest,
  { chains, control }: Pick<Context, "chains" | "control">,
): Promise<void> {
  const fault = await control.faults.forQuote(request);
  if (fault === undefined) return;
  const { errorCode, errorData, message } = fault;
  const isSimulation = errorCode === "DESTINATION_TX_FAILED";
  const head = chains.get(request.destinationChainId)?.head();
  throw new QuoteError(errorCode, message, {
    approxSimulatedBlock: isSimulation && head !== undefined ? Number(head.number) : undefined,
    errorData: errorData ?? (isSimulation ? "execution reverted" : undefined),
  });
}
