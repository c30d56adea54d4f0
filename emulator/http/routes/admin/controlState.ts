import * as z from "zod";
import { messageSchema } from "../../../../src/schema/request/transactions.ts";
import type { Control } from "../../../control/Control.ts";
import type { Snapshot } from "../../../control/state/openState.ts";
import { defineRoute, type Route } from "../../route/Route.ts";
import { controlRefused } from "../../route/refusals.ts";

const snapshotSchema = z.strictObject({ at: z.int(), id: z.string() }) satisfies z.ZodType<Snapshot>;
const tag = "Control";

/** `/admin` routes for snapshots and reset of the whole emulator. */
export function controlState({ reset, restore, snapshot, snapshots }: Control): readonly Route[] {
  const one = { body: snapshotSchema, description: "The snapshot" };
  return [
    defineRoute({
      method: "post",
      path: "/admin/reset",
      operationId: "reset",
      tag,
      summary: "Empties the database except for keys and reverts the chains to the start",
      answers: {
        200: { body: messageSchema, description: "The emulator is as at its start" },
        409: controlRefused,
      },
      handle: async ({ http }) => {
        await reset();
        return http.json({ message: "Success" });
      },
    }),
    defineRoute({
      method: "get",
      path: "/admin/snapshots",
      operationId: "listSnapshots",
      tag,
      summary: "The snapshots that can be restored",
      answers: {
        200: { body: z.strictObject({ snapshots: z.array(snapshotSchema) }), description: "Oldest first" },
      },
      handle: ({ http }) => http.json({ snapshots: snapshots() }),
    }),
    defineRoute({
      method: "post",
      path: "/admin/snapshots",
      operationId: "takeSnapshot",
      tag,
      summary: "Takes a snapshot",
      answers: { 200: one, 409: controlRefused },
      handle: async ({ http }) => http.json(await snapshot()),
    }),
    defineRoute({
      method: "post",
      path: "/admin/snapshots/:id/restore",
      operationId: "restoreSnapshot",
      tag,
      summary: "Restores a snapshot, any number of times",
      params: z.object({ id: z.string() }),
      answers: { 200: one, 409: controlRefused },
      handle: async ({ http, params: { id } }) => http.json(await restore(id)),
    }),
  ];
}
