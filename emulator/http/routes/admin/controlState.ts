import * as z from "zod";
import { messageSchema } from "../../../../src/schema/transactions.ts";
import type { Control } from "../../../control/Control.ts";
import type { Snapshot } from "../../../control/state/openState.ts";
import { defineRoute, type Route } from "../../route/Route.ts";
import { controlRefused } from "../../route/refusals.ts";

const snapshotSchema = z.strictObject({ at: z.int(), id: z.string() }) satisfies z.ZodType<Snapshot>;
const tag = "Control";

/** States of the whole emulator. */
export function controlState({ reset, restore, snapshot, snapshots }: Control): readonly Route[] {
  const one = { body: snapshotSchema, description: "The state" };
  return [
    defineRoute({
      method: "post",
      path: "/admin/reset",
      operationId: "reset",
      tag,
      summary: "Empties the database but for keys, and takes the chains back to the start",
      answers: { 200: { body: messageSchema, description: "All is as it was" }, 409: controlRefused },
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
      summary: "The states that can be gone back to",
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
      summary: "Keeps a state",
      answers: { 200: one, 409: controlRefused },
      handle: async ({ http }) => http.json(await snapshot()),
    }),
    defineRoute({
      method: "post",
      path: "/admin/snapshots/:id/restore",
      operationId: "restoreSnapshot",
      tag,
      summary: "Goes back to a state, as often as is wanted",
      params: z.object({ id: z.string() }),
      answers: { 200: one, 409: controlRefused },
      handle: async ({ http, params: { id } }) => http.json(await restore(id)),
    }),
  ];
}
