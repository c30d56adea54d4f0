import type { QuoteRequest } from "../../../src/schema/quoteRequest.ts";

/** Where swaps are made on the local chains. */
export const uniswapV2Source = "uniswap-v2";

/** Where a request allows swaps to be made. */
export type SwapSources = {
  /** By the user's own transaction, on the origin chain. */
  readonly origin: readonly string[];
  /** By the solver, on the destination chain. */
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
 * The sources that are left for each side: those of a side's own list, or else of the list for both, without the excluded
 * ones. An empty list allows none.
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
