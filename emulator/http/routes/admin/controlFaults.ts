import * as z from "zod";
import { bytes32Schema } from "../../../../src/schema/wire/hex.ts";
import type { Control } from "../../../control/Control.ts";
import { faultSchema, faultSpecSchema } from "../../../control/faults/faultSpec.ts";
import type { ControlLogEntry } from "../../../control/settings/controlLog.ts";
import { defineRoute, NotFoundError, notFound, type Route } from "../../route/Route.ts";

const maxLogPage = 1_000;

const logQuerySchema = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(maxLogPage).optional(),
  requestId: z.optional(bytes32Schema),
});

const logSchema = z.strictObject({
  entries: z.array(
    z.strictObject({
      at: z.int(),
      data: z.record(z.string(), z.unknown()).optional(),
      faultId: z.string().optional(),
      kind: z.string(),
      requestId: z.string().optional(),
      seq: z.int(),
    }) satisfies z.ZodType<ControlLogEntry>,
  ),
});

const faultsSchema = z.strictObject({ faults: z.array(faultSchema) });
const params = z.object({ id: z.string() });
const tag = "Control";

/** `/admin` routes for faults and the control log. */
export function controlFaults({ faults, log }: Control): readonly Route[] {
  return [
    defineRoute({
      endpoint: "GET /admin/faults",
      operationId: "listFaults",
      tag,
      summary: "The faults that can still fire",
      answers: { 200: { body: faultsSchema, description: "In the order in which they fire" } },
      handle: ({ http }) => http.json({ faults: faults.list() }),
    }),
    defineRoute({
      endpoint: "POST /admin/faults",
      operationId: "addFault",
      tag,
      summary: "Adds a fault",
      body: faultSpecSchema,
      answers: { 200: { body: faultSchema, description: "The fault with its id" } },
      handle: async ({ body, http }) => http.json(await faults.add(body)),
    }),
    defineRoute({
      endpoint: "DELETE /admin/faults",
      operationId: "clearFaults",
      tag,
      summary: "Removes all faults",
      answers: { 200: { body: faultsSchema, description: "None" } },
      handle: async ({ http }) => {
        await faults.clear();
        return http.json({ faults: [] });
      },
    }),
    defineRoute({
      endpoint: "DELETE /admin/faults/:id",
      operationId: "removeFault",
      tag,
      summary: "Removes a fault",
      params,
      answers: { 200: { body: params, description: "Its id" }, 404: notFound("There is no such fault") },
      handle: async ({ http, params: { id } }) => {
        if (!(await faults.remove(id))) throw new NotFoundError("Fault not found");
        return http.json({ id });
      },
    }),
    defineRoute({
      endpoint: "GET /admin/log",
      operationId: "readControlLog",
      tag,
      summary: "Control actions and fired faults, oldest first",
      query: logQuerySchema,
      notes: { after: "Number (`seq`) of the last entry that is known already." },
      answers: { 200: { body: logSchema, description: "A page" } },
      handle: async ({ http, query }) => http.json({ entries: await log(query) }),
    }),
  ];
}
