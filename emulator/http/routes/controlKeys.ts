import { Hono } from "hono";
import * as z from "zod";
import type { Control } from "../../control/Control.ts";
import { errorAnswer } from "../errorBody.ts";
import { readJson } from "../readJson.ts";

export const newKeySchema = z.strictObject({
  isElevated: z.boolean().optional(),
  name: z.string().min(1).max(200),
});

/**
 * - `GET /admin/keys`: the keys in force, without the secrets; `POST`: makes one, and tells its secret this one time.
 * - `DELETE /admin/keys/{id}`: ends one at once.
 */
export function controlKeys({ keys }: Control): Hono {
  return new Hono()
    .get("/keys", (http) => http.json({ keys: keys.list() }))
    .post("/keys", async (http) => http.json(await keys.create(await readJson(http, newKeySchema))))
    .delete("/keys/:id", async (http) => {
      const id = http.req.param("id");
      if (!(await keys.revoke(id))) {
        return errorAnswer(http, 404, "Key not found", { errorCode: "NOT_FOUND" });
      }
      return http.json({ id });
    });
}
