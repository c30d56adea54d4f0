import * as z from "zod";
import { messageSchema } from "../../../../src/schema/request/transactions.ts";
import { quoteErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { chainIdSchema } from "../../../../src/schema/wire/wireAmount.ts";
import type { ChainHealth } from "../../../context/ChainHealth.ts";
import type { Control } from "../../../control/Control.ts";
import { healthChangeSchema } from "../../../control/settings/openHealth.ts";
import { reorgReportSchema, snapshotSchema } from "../../../control/state/openState.ts";
import { controlRefused, defineRoute, type Route } from "../../route/Route.ts";

const longestReorg = 10_000;

const chainParamSchema = z.object({ id: z.coerce.number().pipe(chainIdSchema) });

const reorgSchema = z.strictObject({
  blocks: z.int().min(1).max(longestReorg),
  /** Whether the transactions are mined again in other blocks. */
  returns: z.boolean().optional(),
});

const healthSchema = healthChangeSchema.required() satisfies z.ZodType<ChainHealth>;

/** `/admin` routes for the health of chains and for reorgs. */
export function controlChains({ chains }: Control): readonly Route[] {
  const common = { params: chainParamSchema, tag: "Control" } as const;
  const refused = {
    400: { body: quoteErrorSchema, description: "Not a chain id", errorCodes: ["INVALID_REQUEST"] },
    409: controlRefused,
  } as const;
  const health = { body: healthSchema, description: "The chain's health" };
  return [
    defineRoute({
      ...common,
      endpoint: "GET /admin/chains/:id/health",
      operationId: "readHealth",
      summary: "The health of a chain",
      answers: { 200: health, ...refused },
      handle: ({ http, params: { id } }) => http.json(chains.health(id)),
    }),
    defineRoute({
      ...common,
      endpoint: "PATCH /admin/chains/:id/health",
      operationId: "changeHealth",
      summary: "Changes the given fields and keeps the others",
      body: healthChangeSchema,
      answers: { 200: health, ...refused },
      handle: async ({ body, http, params: { id } }) => http.json(await chains.setHealth(id, body)),
    }),
    defineRoute({
      ...common,
      endpoint: "POST /admin/chains/:id/reorg",
      operationId: "reorganise",
      summary: "Reorgs the last blocks of a chain away",
      description: "Their transactions are mined again in other blocks unless `returns` is false.",
      body: reorgSchema,
      answers: {
        200: { body: reorgReportSchema, description: "The blocks and transactions removed" },
        ...refused,
      },
      handle: async ({ body, http, params: { id } }) =>
        http.json(await chains.reorg({ chainId: id, ...body })),
    }),
  ];
}

const tag = "Control";

/** `/admin` routes for snapshots and reset of the whole emulator. */
export function controlState({ reset, restore, snapshot, snapshots }: Control): readonly Route[] {
  const one = { body: snapshotSchema, description: "The snapshot" };
  return [
    defineRoute({
      endpoint: "POST /admin/reset",
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
      endpoint: "GET /admin/snapshots",
      operationId: "listSnapshots",
      tag,
      summary: "The snapshots that can be restored",
      answers: {
        200: { body: z.strictObject({ snapshots: z.array(snapshotSchema) }), description: "Oldest first" },
      },
      handle: ({ http }) => http.json({ snapshots: snapshots() }),
    }),
    defineRoute({
      endpoint: "POST /admin/snapshots",
      operationId: "takeSnapshot",
      tag,
      summary: "Takes a snapshot",
      answers: { 200: one, 409: controlRefused },
      handle: async ({ http }) => http.json(await snapshot()),
    }),
    defineRoute({
      endpoint: "POST /admin/snapshots/:id/restore",
      operationId: "restoreSnapshot",
      tag,
      summary: "Restores a snapshot, any number of times",
      params: z.object({ id: z.string() }),
      answers: { 200: one, 409: controlRefused },
      handle: async ({ http, params: { id } }) => http.json(await restore(id)),
    }),
  ];
}
