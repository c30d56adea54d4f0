import * as z from "zod";
import { uintStringSchema } from "../../../../src/schema/wire/wireAmount.ts";
import type { Control } from "../../../control/Control.ts";
import { errorAnswer } from "../../body/errorBody.ts";
import { defineRoute, type Route } from "../../route/Route.ts";
import { controlRefused, notFound } from "../../route/refusals.ts";

const keyOf = z.object({ apiKeyId: z.string().min(1).max(1_000) });
const balanceSchema = z.strictObject({ amount: uintStringSchema, apiKeyId: z.string().min(1).max(1_000) });
/** A balance may be below zero after a reorg. */
const shownSchema = z.strictObject({ amount: z.string(), apiKeyId: z.string() });
const entriesSchema = z.strictObject({
  ...shownSchema.shape,
  entries: z.array(z.strictObject({ amount: z.string(), at: z.int(), requestId: z.string().nullable() })),
});
const tag = "Control";

/** `/admin` routes for the sponsors' balances, in millionths of a dollar. */
export function controlSponsors({ sponsors }: Control): readonly Route[] {
  const common = { path: "/admin/sponsors", tag } as const;
  return [
    defineRoute({
      ...common,
      method: "get",
      operationId: "readSponsor",
      summary: "The balance of an API key as a sponsor, and its ledger",
      query: keyOf,
      answers: {
        200: { body: entriesSchema, description: "The balance and all its changes, oldest first" },
        404: notFound("The key has no sponsor's balance"),
      },
      handle: async ({ http, query: { apiKeyId } }) => {
        const amount = await sponsors.get(apiKeyId);
        if (amount === undefined) {
          return errorAnswer(http, 404, "The key has no sponsor's balance", { errorCode: "NOT_FOUND" });
        }
        const entries = (await sponsors.entries(apiKeyId)).map((entry) => ({
          ...entry,
          amount: entry.amount.toString(),
        }));
        return http.json({ amount: amount.toString(), apiKeyId, entries });
      },
    }),
    defineRoute({
      ...common,
      method: "put",
      operationId: "setSponsor",
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
