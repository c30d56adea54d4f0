import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { isSvmChain, type Place } from "../../context/places.ts";

export const uniswapV2Source = "uniswap-v2";

/** The swap source of the SVM chain: pools that stand for those of its aggregator. */
export const svmSwapSource = "jupiter";

const knownSources: readonly string[] = [uniswapV2Source, svmSwapSource];

/** The swap source of a ledger, on those with pools. */
export function swapSourceOf(place: Place): string {
  return isSvmChain(place) ? svmSwapSource : uniswapV2Source;
}

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
  const { excludedSwapSources = [], includedSwapSources = knownSources } = request;
  const left = (included: readonly string[]) =>
    included.filter((source) => knownSources.includes(source) && !excludedSwapSources.includes(source));
  return {
    destination: left(request.includedDestinationSwapSources ?? includedSwapSources),
    origin:
      request.disableOriginSwaps === true
        ? []
        : left(request.includedOriginSwapSources ?? includedSwapSources),
  };
}
