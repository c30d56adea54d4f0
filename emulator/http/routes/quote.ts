import { Hono } from "hono";
import { quoteRequestSchema } from "../../../src/schema/quoteRequest.ts";
import { createQuote } from "../../quote/createQuote.ts";
import type { Deps } from "../Deps.ts";
import { readJson } from "../readJson.ts";

/** `POST /quote/v2` (specification, "POST /quote/v2"), and its first version, which is the same. */
export function quoteRoute({ context }: Deps): Hono {
  return new Hono().on("POST", ["/quote/v2", "/quote"], async (http) => {
    const request = await readJson(http, quoteRequestSchema);
    const presented = http.req.header("x-api-key");
    const apiKey = presented === undefined ? undefined : context.apiKeys.find(presented);
    return http.json(await createQuote(request, context, apiKey));
  });
}
