import { Hono } from "hono";
import type { Control } from "../../control/Control.ts";

/**
 * - `POST /admin/reset`: empties the database but for keys, and takes the chains back to the start.
 * - `GET /admin/snapshots`; `POST`: makes one.
 * - `POST /admin/snapshots/{id}/restore`: goes back to it, as often as is wanted.
 */
export function controlState({ reset, restore, snapshot, snapshots }: Control): Hono {
  return new Hono()
    .post("/reset", async (http) => {
      await reset();
      return http.json({ message: "Success" });
    })
    .get("/snapshots", (http) => http.json({ snapshots: snapshots() }))
    .post("/snapshots", async (http) => http.json(await snapshot()))
    .post("/snapshots/:id/restore", async (http) => http.json(await restore(http.req.param("id"))));
}
