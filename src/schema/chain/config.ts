import * as z from "zod/mini";
import { queryInteger, queryText } from "../wire/queryField.ts";
import { intStringSchema, uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** Query of `GET /config/v2` and of its first version. */
export type ConfigQuery = z.output<typeof configQuerySchema>;
export const configQuerySchema = wireObject({
  originChainId: queryInteger(1),
  destinationChainId: queryInteger(1),
  /** Account whose balance to return. */
  user: z.optional(queryText(256)),
  /** Currency id such as `usdc`; an address in version 1. Default: the native currency. */
  currency: z.optional(queryText(256)),
});

/** Response of `GET /config/v2`: whether a route is enabled, and its capacity. The first version has no `fee`. */
export type Config = z.output<typeof configSchema>;
export const configSchema = wireObject({
  enabled: z.boolean(),
  user: z.nullish(
    wireObject({
      /** Smallest units, on the origin chain. */
      balance: z.nullish(uintStringSchema),
      /** Smallest units, after fees. */
      maxBridgeAmount: z.nullish(uintStringSchema),
    }),
  ),
  /** Smallest units. */
  fee: z.nullish(intStringSchema),
  solver: z.nullish(
    wireObject({
      address: z.nullish(z.string()),
      /** Smallest units, on the destination chain. */
      balance: z.nullish(uintStringSchema),
      /** Smallest units. */
      capacityPerRequest: z.nullish(uintStringSchema),
    }),
  ),
  supportsExternalLiquidity: z.nullish(z.boolean()),
});
