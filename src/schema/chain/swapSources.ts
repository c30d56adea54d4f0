import * as z from "zod/mini";
import { queryInteger } from "../wire/queryField.ts";
import { wireObject } from "../wire/wireObject.ts";

/**
 * Query of `GET /swap-sources`.
 *
 * @example
 * swapSourcesQuerySchema.parse({ chainId: "8453" }); // { chainId: 8453 }
 */
export const swapSourcesQuerySchema = wireObject({ chainId: z.optional(queryInteger(1)) });

/**
 * Response of `GET /swap-sources`: names for `includedSwapSources` and similar parameters.
 *
 * @example
 * swapSourcesSchema.parse({ sources: ["uniswap"] });
 */
export const swapSourcesSchema = wireObject({ sources: z.array(z.string()) });

/** Response of `GET /swap-sources`. */
export type SwapSources = z.output<typeof swapSourcesSchema>;
