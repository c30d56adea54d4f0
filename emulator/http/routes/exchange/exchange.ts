import * as z from "zod";
import { exchangeResponseSchema } from "../../../../src/schema/quote/exchangeAction.ts";
import { exchangePath } from "../../../perps/openExchange.ts";
import { infoRequestSchema, readInfo } from "../../../perps/readInfo.ts";
import { assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";

/**
 * The exchange's own API below `/perps`, in place of its host: `POST /exchange` and `POST /info`. Both answer 404 unless
 * the emulator was started with the exchange.
 */
export function exchangeRoutes({ context }: Deps): readonly Route[] {
  const { exchange, now, store } = context;
  const common = { method: "post", tag: "Perps exchange" } as const;
  const off = notFound("The exchange is off", "NOT_FOUND");
  return [
    defineRoute({
      ...common,
      path: `${exchangePath}/exchange`,
      operationId: "postExchangeAction",
      summary: "Executes a signed action of the perps exchange",
      description:
        "Answers 200 with `status` `ok` or `err`, as the exchange does. A refused action moves nothing.",
      body: z.looseObject({}),
      answers: { 200: { body: exchangeResponseSchema, description: "The exchange's answer" }, 404: off },
      handle: async ({ body, http }) =>
        http.json(await assertFound(exchange, "The perps exchange is off").execute(body)),
    }),
    defineRoute({
      ...common,
      path: `${exchangePath}/info`,
      operationId: "postExchangeInfo",
      summary: "Balances and metadata of the perps exchange",
      body: infoRequestSchema,
      answers: {
        200: { body: z.looseObject({}), description: "The exchange's answer, by `type`" },
        404: off,
      },
      handle: async ({ body, http }) => {
        assertFound(exchange, "The perps exchange is off");
        return http.json(await readInfo(store, body, now()));
      },
    }),
  ];
}
