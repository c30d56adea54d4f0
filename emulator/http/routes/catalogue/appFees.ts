import * as z from "zod";
import { appFeeBalancesSchema } from "../../../../src/schema/quote/appFees.ts";
import { parseAddress } from "../../../quote/request/parseAddress.ts";
import { appFeeBalances } from "../../../requests/record/appFeeBalances.ts";
import type { Deps } from "../../route/Deps.ts";
import { defineRoute, type Route } from "../../route/Route.ts";
import { unsupported } from "../../route/refusals.ts";

/** `GET /app-fees/{wallet}/balances`: app fees that integrators earned by successful requests. */
export function appFeesRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/app-fees/:wallet/balances",
      operationId: "getAppFeeBalances",
      tag: "Requests",
      summary: "The app fees that a wallet has earned",
      params: z.object({ wallet: z.string() }),
      answers: {
        200: { body: appFeeBalancesSchema, description: "In USDC" },
        400: unsupported("INVALID_ADDRESS"),
      },
      handle: async ({ http, params: { wallet } }) =>
        http.json(await appFeeBalances(parseAddress(wallet, "INVALID_ADDRESS", "wallet"), context)),
    }),
  ];
}
