import { Hono } from "hono";
import * as z from "zod";
import type { Control } from "../../control/Control.ts";
import { faultSpecSchema } from "../../control/faultSpec.ts";
import { errorAnswer } from "../errorBody.ts";
import { readJson, readQuery } from "../readJson.ts";

const maxLogPage = 1_000;

export const logQuerySchema = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(maxLogPage).optional(),
});

/**
 * - `GET /admin/faults`: those that can still fire; `POST`: adds one; `DELETE`: takes all away.
 * - `DELETE /admin/faults/{id}`: takes one away.
 * - `GET /admin/log?after=&limit=`: what was done on purpose and the faults that fired, oldest first.
 */
export function controlFaults({ faults, log }: Control): Hono {
  return new Hono()
    .get("/faults", (http) => http.json({ faults: faults.list() }))
    .post("/faults", async (http) => http.json(await faults.add(await readJson(http, faultSpecSchema))))
    .delete("/faults", async (http) => {
      await faults.clear();
      return http.json({ faults: [] });
    })
    .delete("/faults/:id", async (http) => {
      const id = http.req.param("id");
      if (!(await faults.remove(id))) {
        return errorAnswer(http, 404, "Fault not found", { errorCode: "NOT_FOUND" });
      }
      return http.json({ id });
    })
    .get("/log", async (http) => http.json({ entries: await log(readQuery(http, logQuerySchema)) }));
}
