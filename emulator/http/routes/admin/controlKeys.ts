import * as z from "zod";
import type { Control } from "../../../control/Control.ts";
import type { ApiKey } from "../../../keys/ApiKey.ts";
import { errorAnswer } from "../../body/errorBody.ts";
import { defineRoute, type Route } from "../../route/Route.ts";
import { notFound } from "../../route/refusals.ts";

const newKeySchema = z.strictObject({
  isElevated: z.boolean().optional(),
  name: z.string().min(1).max(200),
});

const listedKeySchema = z.strictObject({
  createdAt: z.int(),
  id: z.string(),
  isElevated: z.boolean(),
  name: z.string(),
}) satisfies z.ZodType<Omit<ApiKey, "key">>;

const keySchema = listedKeySchema.extend({ key: z.string() }) satisfies z.ZodType<ApiKey>;
const params = z.object({ id: z.string() });
const tag = "Control";

/** `/admin` routes for API keys. A key's secret is returned once, at its creation. */
export function controlKeys({ keys }: Control): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/admin/keys",
      operationId: "listKeys",
      tag,
      summary: "The active API keys, without their secrets",
      answers: {
        200: { body: z.strictObject({ keys: z.array(listedKeySchema) }), description: "Oldest first" },
      },
      handle: ({ http }) => http.json({ keys: keys.list() }),
    }),
    defineRoute({
      method: "post",
      path: "/admin/keys",
      operationId: "createKey",
      tag,
      summary: "Creates an API key; its secret is returned only here",
      body: newKeySchema,
      answers: { 200: { body: keySchema, description: "The key" } },
      handle: async ({ body, http }) => http.json(await keys.create(body)),
    }),
    defineRoute({
      method: "delete",
      path: "/admin/keys/:id",
      operationId: "revokeKey",
      tag,
      summary: "Revokes an API key at once",
      params,
      answers: { 200: { body: params, description: "Its id" }, 404: notFound("There is no such key") },
      handle: async ({ http, params: { id } }) => {
        if (!(await keys.revoke(id))) {
          return errorAnswer(http, 404, "Key not found", { errorCode: "NOT_FOUND" });
        }
        return http.json({ id });
      },
    }),
  ];
}
