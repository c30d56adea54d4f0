import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";

/** The swap source of the local chains. */
export const uniswapV2Source = "uniswap-v2";

/** Swap sources that a request allows. */
export type SwapSources = {
  /** For the user's transaction on the origin chain. */
  readonly origin: readonly string[];
  /** For the solver on the destination chain. */
  readonly destination: readonly string[];
};

type SourceRequest = Pick<
  QuoteRequest,
  | "includedSwapSources"
  | "excludedSwapSources"
  | "includedOriginSwapSources"
  | "includedDestinationSwapSources"
  | "disableOriginSwaps"
>;

/**
 * The allowed sources of each side: a side's own list, else the common one, minus the excluded sources. An empty list allows
 * none.
 */
export function readSwapSources(request: SourceRequest): SwapSources {
  const { excludedSwapSources = [], includedSwapSources = [uniswapV2Source] } = request;
  const left = (included: readonly string[]) =>
    included.filter((source) => source === uniswapV2Source && !excludedSwapSources.includes(source));
  return {
    destination: left(request.includedDestinationSwapSources ?? includedSwapSources),
    origin:
      request.disableOriginSwaps === true
        ? []
        : left(request.includedOriginSwapSources ?? includedSwapSources),
  };
}
