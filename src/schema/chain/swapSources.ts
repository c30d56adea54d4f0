import * as z from "zod/mini";
import { queryInteger } from "../wire/queryField.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Query of `GET /swap-sources`. */
export const swapSourcesQuerySchema = wireObject({ chainId: z.optional(queryInteger(1)) });

/** Response of `GET /swap-sources`: names for `includedSwapSources` and similar parameters. */
export type SwapSources = z.output<typeof swapSourcesSchema>;
export const swapSourcesSchema = wireObject({ sources: z.array(z.string()) });
