import { Hono } from "hono";
import type { Price } from "../../../src/schema/price.ts";
import { quoteRequestSchema } from "../../../src/schema/quoteRequest.ts";
import { priceIntent } from "../../quote/priceIntent.ts";
import type { Deps } from "../Deps.ts";
import { readJson } from "../readJson.ts";

/** `POST /price`: the numbers of a quote without its steps. It takes a quote's body whole, and stores nothing. */
export function priceRoute({ context }: Deps): Hono {
  return new Hono().post("/price", async (http) => {
    const { details, fees } = await priceIntent(await readJson(http, quoteRequestSchema), context);
    return http.json({ details, fees } satisfies Price);
  });
}
