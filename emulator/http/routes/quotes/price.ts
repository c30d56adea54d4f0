import { type Price, priceSchema } from "../../../../src/schema/quote/price.ts";
import { quoteRequestSchema } from "../../../../src/schema/quote/quoteRequest.ts";
import { assertNotForced } from "../../../quote/forcedRefusal.ts";
import { priceIntent } from "../../../quote/price/priceIntent.ts";
import type { Deps } from "../../route/Deps.ts";
import { defineRoute, type Route } from "../../route/Route.ts";
import { quoteRefusals } from "../../route/refusals.ts";

/** `POST /price`: a quote without its steps. It takes the same body as a quote and stores nothing. */
export function priceRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/price",
      operationId: "getPrice",
      tag: "Quotes",
      summary: "The numbers of a quote, without steps",
      description: "Stores nothing.",
      body: quoteRequestSchema,
      answers: { 200: { body: priceSchema, description: "Fees and details" }, ...quoteRefusals },
      handle: async ({ body, http }) => {
        await assertNotForced(body, context);
        const { details, fees } = await priceIntent(body, context);
        return http.json({ details, fees } satisfies Price);
      },
    }),
  ];
}
