import { Hono } from "hono";
import * as z from "zod";
import { chainIdSchema } from "../../../src/schema/wireAmount.ts";
import type { Control } from "../../control/Control.ts";
import { healthChangeSchema } from "../../control/openHealth.ts";
import { readJson, readWith } from "../readJson.ts";

const longestReorg = 10_000;

export const chainParamSchema = z.object({ id: z.coerce.number().pipe(chainIdSchema) });

export const reorgSchema = z.strictObject({
  blocks: z.int().min(1).max(longestReorg),
  /** Whether the transactions come back in other blocks. */
  returns: z.boolean().optional(),
});

/**
 * - `GET /admin/chains/{id}/health`; `PATCH`: what is to change.
 * - `POST /admin/chains/{id}/reorg`: `{ blocks, returns }`.
 */
export function controlChains({ chains }: Control): Hono {
  return new Hono()
    .get("/chains/:id/health", (http) => {
      const { id } = readWith(http.req.param(), chainParamSchema, "path");
      return http.json(chains.health(id));
    })
    .patch("/chains/:id/health", async (http) => {
      const { id } = readWith(http.req.param(), chainParamSchema, "path");
      return http.json(await chains.setHealth(id, await readJson(http, healthChangeSchema)));
    })
    .post("/chains/:id/reorg", async (http) => {
      const { id } = readWith(http.req.param(), chainParamSchema, "path");
      return http.json(await chains.reorg({ chainId: id, ...(await readJson(http, reorgSchema)) }));
    });
}
