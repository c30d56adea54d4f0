import { configQuerySchema, configSchema } from "../../../../src/schema/chain/config.ts";
import { routeConfig } from "../../../quote/routeConfig.ts";
import { type Deps, defineRoute, type Route, unsupported } from "../../route/Route.ts";

/** `GET /config/v2`, and `GET /config`, which has no fee. */
export function configRoutes({ context }: Deps): readonly Route[] {
  const common = {
    tag: "Chains and currencies",
    query: configQuerySchema,
    notes: {
      currency: "A currency id such as `usdc`, or an address. Default: the native currency.",
      user: "The account whose balance is returned.",
    },
    answers: {
      200: { body: configSchema, description: "The route" },
      400: unsupported("UNSUPPORTED_CHAIN", "UNSUPPORTED_CURRENCY", "INVALID_ADDRESS"),
    },
  } as const;
  return [
    defineRoute({
      ...common,
      endpoint: "GET /config/v2",
      operationId: "getConfig",
      summary: "Whether a route is open, its fee and its capacity",
      handle: async ({ http, query }) => http.json(await routeConfig(query, context)),
    }),
    defineRoute({
      ...common,
      endpoint: "GET /config",
      operationId: "getConfigV1",
      summary: "The same without the fee",
      handle: async ({ http, query }) => {
        const { fee: _, ...config } = await routeConfig(query, context);
        return http.json(config);
      },
    }),
  ];
}
