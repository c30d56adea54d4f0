import * as z from "zod";
import { uintStringSchema } from "../../../../src/schema/wire/wireAmount.ts";
import type { Control } from "../../../control/Control.ts";
import type { ApiKey } from "../../../keys/openApiKeys.ts";
import {
  assertFound,
  controlRefused,
  defineRoute,
  NotFoundError,
  notFound,
  type Route,
} from "../../route/Route.ts";

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
      endpoint: "GET /admin/keys",
      operationId: "listKeys",
      tag,
      summary: "The active API keys, without their secrets",
      answers: {
        200: { body: z.strictObject({ keys: z.array(listedKeySchema) }), description: "Oldest first" },
      },
      handle: ({ http }) => http.json({ keys: keys.list() }),
    }),
    defineRoute({
      endpoint: "POST /admin/keys",
      operationId: "createKey",
      tag,
      summary: "Creates an API key; its secret is returned only here",
      body: newKeySchema,
      answers: { 200: { body: keySchema, description: "The key" } },
      handle: async ({ body, http }) => http.json(await keys.create(body)),
    }),
    defineRoute({
      endpoint: "DELETE /admin/keys/:id",
      operationId: "revokeKey",
      tag,
      summary: "Revokes an API key at once",
      params,
      answers: { 200: { body: params, description: "Its id" }, 404: notFound("There is no such key") },
      handle: async ({ http, params: { id } }) => {
        if (!(await keys.revoke(id))) throw new NotFoundError("Key not found");
        return http.json({ id });
      },
    }),
  ];
}

const keyOf = z.object({ apiKeyId: z.string().min(1).max(1_000) });
const balanceSchema = z.strictObject({ amount: uintStringSchema, apiKeyId: z.string().min(1).max(1_000) });
/** A balance may be below zero after a reorg. */
const shownSchema = z.strictObject({ amount: z.string(), apiKeyId: z.string() });
const entriesSchema = z.strictObject({
  ...shownSchema.shape,
  entries: z.array(z.strictObject({ amount: z.string(), at: z.int(), requestId: z.string().nullable() })),
});

/** `/admin` routes for the sponsors' balances, in millionths of a dollar. */
export function controlSponsors({ sponsors }: Control): readonly Route[] {
  return [
    defineRoute({
      endpoint: "GET /admin/sponsors",
      operationId: "readSponsor",
      tag,
      summary: "The balance of an API key as a sponsor, and its ledger",
      query: keyOf,
      answers: {
        200: { body: entriesSchema, description: "The balance and all its changes, oldest first" },
        404: notFound("The key has no sponsor's balance"),
      },
      handle: async ({ http, query: { apiKeyId } }) => {
        const amount = assertFound(await sponsors.get(apiKeyId), "The key has no sponsor's balance");
        const entries = (await sponsors.entries(apiKeyId)).map((entry) => ({
          ...entry,
          amount: entry.amount.toString(),
        }));
        return http.json({ amount: amount.toString(), apiKeyId, entries });
      },
    }),
    defineRoute({
      endpoint: "PUT /admin/sponsors",
      operationId: "setSponsor",
      tag,
      summary: "Sets the balance of an API key as a sponsor, in millionths of a dollar",
      body: balanceSchema,
      answers: { 200: { body: shownSchema, description: "The balance" }, 409: controlRefused },
      handle: async ({ body, http }) => {
        await sponsors.set({ amount: BigInt(body.amount), apiKeyId: body.apiKeyId });
        return http.json(body);
      },
    }),
  ];
}
