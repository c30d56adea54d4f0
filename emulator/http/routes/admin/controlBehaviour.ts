import * as z from "zod";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { queryFlag } from "../../../../src/schema/wire/queryField.ts";
import { chainIdSchema, uintStringSchema } from "../../../../src/schema/wire/wireAmount.ts";
import type { EmulatorConfig } from "../../../context/EmulatorConfig.ts";
import type { Control } from "../../../control/Control.ts";
import { accountSchema, currencySchema } from "../../../control/faults/faultSpec.ts";
import type { PoolTrade } from "../../../control/prices/repegPools.ts";
import type { ClockReading } from "../../../control/settings/openClock.ts";
import { configChangeSchema } from "../../../control/settings/openConfig.ts";
import { priceTableSchema } from "../../../money/priceHistory.ts";
import { controlRefused, defineRoute, type Route } from "../../route/Route.ts";

const milliseconds = z.int().min(0);

/** At least one field; `set` and `advance` exclude each other. */
const clockChangeSchema = z
  .strictObject({
    /** Unix milliseconds. */
    set: milliseconds.optional(),
    advance: milliseconds.optional(),
    frozen: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, "at least one field is required")
  .refine(({ advance, set }) => advance === undefined || set === undefined, "`set` or `advance`, not both");

const clockSchema = z.strictObject({
  isFrozen: z.boolean(),
  now: milliseconds,
}) satisfies z.ZodType<ClockReading>;

const configSchema = configChangeSchema.required() satisfies z.ZodType<EmulatorConfig>;

const pricesSchema = z.strictObject({ prices: priceTableSchema });

const holding = { account: accountSchema, currency: currencySchema };

const balanceQuerySchema = z.strictObject({
  ...holding,
  chainId: z.coerce.number().pipe(chainIdSchema),
});

const balanceChangeSchema = z.strictObject({
  ...holding,
  amount: uintStringSchema,
  chainId: chainIdSchema,
});

const priceChangeQuerySchema = z.strictObject({ movePools: z.optional(queryFlag()) });

const repegSchema = z.strictObject({ chainId: z.optional(chainIdSchema) });

const tradesSchema = z.strictObject({
  trades: z.array(
    z.strictObject({
      amountIn: uintStringSchema,
      amountOut: uintStringSchema,
      chainId: chainIdSchema,
      pair: evmAddressSchema,
      tokenIn: evmAddressSchema,
      tokenOut: evmAddressSchema,
    }) satisfies z.ZodType<PoolTrade>,
  ),
});

const tag = "Control";

/** `/admin` routes for clock, configuration, prices and balances. */
export function controlBehaviour(control: Control): readonly Route[] {
  return [
    ...clockRoutes(control),
    ...configRoutes(control),
    ...priceRoutes(control),
    ...balanceRoutes(control),
  ];
}

function clockRoutes({ clock }: Control): readonly Route[] {
  const reading = { body: clockSchema, description: "The clock in Unix milliseconds" };
  return [
    defineRoute({
      endpoint: "GET /admin/clock",
      operationId: "readClock",
      tag,
      summary: "The clock",
      answers: { 200: reading },
      handle: ({ http }) => http.json(clock.read()),
    }),
    defineRoute({
      endpoint: "POST /admin/clock",
      operationId: "changeClock",
      tag,
      summary: "Sets, advances, stops or starts the clock",
      description:
        "`set` is in Unix milliseconds, `advance` in milliseconds. The clock never goes backwards.",
      body: clockChangeSchema,
      answers: { 200: reading, 409: controlRefused },
      handle: async ({ body: { advance, frozen, set }, http }) => {
        // Frozen first and resumed last, so that the reading equals the time set.
        if (frozen === true) await clock.freeze();
        if (set !== undefined) await clock.set(set);
        if (advance !== undefined) await clock.advance(advance);
        if (frozen === false) await clock.resume();
        return http.json(clock.read());
      },
    }),
  ];
}

function configRoutes({ config }: Control): readonly Route[] {
  const answers = { 200: { body: configSchema, description: "The whole configuration" } };
  return [
    defineRoute({
      endpoint: "GET /admin/config",
      operationId: "readConfiguration",
      tag,
      summary: "The configuration",
      answers,
      handle: ({ http }) => http.json(config.get()),
    }),
    defineRoute({
      endpoint: "PATCH /admin/config",
      operationId: "changeConfiguration",
      tag,
      summary: "Changes the given fields and keeps the others",
      body: configChangeSchema,
      answers,
      handle: async ({ body, http }) => http.json(await config.set(body)),
    }),
  ];
}

function priceRoutes({ prices }: Control): readonly Route[] {
  const table = { body: pricesSchema, description: "Dollars for a whole token, by symbol" };
  return [
    defineRoute({
      endpoint: "GET /admin/prices",
      operationId: "readPrices",
      tag,
      summary: "The price table",
      answers: { 200: table },
      handle: ({ http }) => http.json({ prices: prices.list() }),
    }),
    defineRoute({
      endpoint: "PATCH /admin/prices",
      operationId: "changePrices",
      tag,
      summary: "Sets prices by symbol and moves the pools",
      description: "ETH and WETH have one price.",
      query: priceChangeQuerySchema,
      notes: { movePools: "Whether the pools follow; `false` leaves them apart from the table." },
      body: priceTableSchema,
      answers: { 200: table, 409: controlRefused },
      handle: async ({ body, http, query }) => http.json({ prices: await prices.set(body, query) }),
    }),
    defineRoute({
      endpoint: "POST /admin/prices/repeg",
      operationId: "repegPools",
      tag,
      summary: "Trades the pools of one chain, or of all, to the price table",
      body: repegSchema,
      answers: { 200: { body: tradesSchema, description: "The trades made" }, 409: controlRefused },
      handle: async ({ body: { chainId }, http }) => http.json({ trades: await prices.repegPools(chainId) }),
    }),
  ];
}

function balanceRoutes({ balances }: Control): readonly Route[] {
  const answers = {
    200: { body: balanceChangeSchema, description: "The balance in smallest units" },
    409: controlRefused,
  };
  return [
    defineRoute({
      endpoint: "GET /admin/balances",
      operationId: "readBalance",
      tag,
      summary: "The balance of an account",
      query: balanceQuerySchema,
      answers,
      handle: async ({ http, query }) =>
        http.json({ ...query, amount: (await balances.get(query)).toString() }),
    }),
    defineRoute({
      endpoint: "PUT /admin/balances",
      operationId: "setBalance",
      tag,
      summary: "Sets the balance of an account",
      body: balanceChangeSchema,
      answers,
      handle: async ({ body, http }) => {
        await balances.set({ ...body, amount: BigInt(body.amount) });
        return http.json(body);
      },
    }),
  ];
}
