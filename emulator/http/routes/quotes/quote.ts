import { quoteSchema } from "../../../../src/schema/quote/quote.ts";
import { quoteRequestSchema } from "../../../../src/schema/quote/quoteRequest.ts";
import { createQuote } from "../../../quote/createQuote.ts";
import { assertNotForced } from "../../../quote/forcedRefusal.ts";
import { textAnswer } from "../../body/jsonAnswer.ts";
import { presentedKey } from "../../middleware/keyChecks.ts";
import type { Deps } from "../../route/Deps.ts";
import { defineRoute, type Route } from "../../route/Route.ts";
import { quoteRefusals } from "../../route/refusals.ts";

/** `POST /quote/v2` (specification, "POST /quote/v2") and `POST /quote`, its alias. */
export function quoteRoutes({ context }: Deps): readonly Route[] {
  const quote = (path: "/quote" | "/quote/v2", operationId: string, summary: string) =>
    defineRoute({
      method: "post",
      path,
      operationId,
      tag: "Quotes",
      summary,
      description:
        "Stores a request that waits for its deposit and answers with the steps to execute. A request made with an API key belongs to that key.",
      body: quoteRequestSchema,
      answers: { 200: { body: quoteSchema, description: "The quote" }, ...quoteRefusals },
      handle: async ({ body, http }) => {
        await assertNotForced(body, context);
        const { json } = await createQuote(body, context, presentedKey(http, context.apiKeys));
        return textAnswer(http, json);
      },
    });
  return [
    quote("/quote/v2", "getQuote", "Prices an intent"),
    quote("/quote", "getQuoteV1", "Prices an intent, first version: the same"),
  ];
}
