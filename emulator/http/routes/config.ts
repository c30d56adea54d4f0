import { Hono } from "hono";
import { configQuerySchema } from "../../../src/schema/config.ts";
import { routeConfig } from "../../quote/routeConfig.ts";
import type { Deps } from "../Deps.ts";
import { readQuery } from "../readJson.ts";

/** `GET /config/v2`, and its first version, which does not tell the fee. */
export function configRoute({ context }: Deps): Hono {
  return new Hono()
    .get("/config", async (http) => {
      const { fee: _, ...config } = await routeConfig(readQuery(http, configQuerySchema), context);
      return http.json(config);
    })
    .get("/config/v2", async (http) =>
      http.json(await routeConfig(readQuery(http, configQuerySchema), context)),
    );
}
