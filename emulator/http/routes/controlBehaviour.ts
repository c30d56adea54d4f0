import { Hono } from "hono";
import * as z from "zod";
import { evmAddressSchema } from "../../../src/schema/hex.ts";
import { chainIdSchema, uintStringSchema } from "../../../src/schema/wireAmount.ts";
import type { Control } from "../../control/Control.ts";
import { configChangeSchema } from "../../control/openConfig.ts";
import { priceTableSchema } from "../../control/openPrices.ts";
import { readJson, readQuery } from "../readJson.ts";

const milliseconds = z.int().min(0);

/** At least one of them; `set` and `advance` exclude one another. */
export const clockChangeSchema = z
  .strictObject({
    /** Unix milliseconds. */
    set: milliseconds.optional(),
    advance: milliseconds.optional(),
    frozen: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, "nothing is asked for")
  .refine(({ advance, set }) => advance === undefined || set === undefined, "`set` or `advance`, not both");

const holding = { account: evmAddressSchema, currency: evmAddressSchema };

export const balanceQuerySchema = z.strictObject({
  ...holding,
  chainId: z.coerce.number().pipe(chainIdSchema),
});

export const balanceChangeSchema = z.strictObject({
  ...holding,
  amount: uintStringSchema,
  chainId: chainIdSchema,
});

export const repegSchema = z.strictObject({ chainId: z.optional(chainIdSchema) });

/**
 * - `GET /admin/clock`; `POST`: `{ set | advance, frozen }`.
 * - `GET /admin/config`; `PATCH`: what is to change.
 * - `GET /admin/prices`; `PATCH`: `{ ETH: "3000" }`; `POST /admin/prices/repeg`: has the pools follow.
 * - `GET /admin/balances?chainId=&currency=&account=`; `PUT`: the same with `amount`.
 */
export function controlBehaviour({ balances, clock, config, prices }: Control): Hono {
  return new Hono()
    .get("/clock", (http) => http.json(clock.read()))
    .post("/clock", async (http) => {
      const { advance, frozen, set } = await readJson(http, clockChangeSchema);
      // Stopped first and started last, so that it says exactly what it was set to.
      if (frozen === true) await clock.freeze();
      if (set !== undefined) await clock.set(set);
      if (advance !== undefined) await clock.advance(advance);
      if (frozen === false) await clock.resume();
      return http.json(clock.read());
    })
    .get("/config", (http) => http.json(config.get()))
    .patch("/config", async (http) => http.json(await config.set(await readJson(http, configChangeSchema))))
    .get("/prices", (http) => http.json({ prices: prices.list() }))
    .patch("/prices", async (http) =>
      http.json({ prices: await prices.set(await readJson(http, priceTableSchema)) }),
    )
    .post("/prices/repeg", async (http) => {
      const { chainId } = await readJson(http, repegSchema);
      return http.json({ trades: await prices.repegPools(chainId) });
    })
    .get("/balances", async (http) => {
      const of = readQuery(http, balanceQuerySchema);
      return http.json({ ...of, amount: (await balances.get(of)).toString() });
    })
    .put("/balances", async (http) => {
      const change = await readJson(http, balanceChangeSchema);
      await balances.set({ ...change, amount: BigInt(change.amount) });
      return http.json(change);
    });
}
