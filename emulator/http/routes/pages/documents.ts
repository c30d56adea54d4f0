import { html } from "hono/html";
import * as z from "zod";
import { placesOf } from "../../../context/places.ts";
import { loadRequestParts } from "../../../requests/record/RequestParts.ts";
import { consolePage } from "../../pages/consolePage.ts";
import { type Html, htmlPage, page } from "../../pages/page.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";
import { openApiPath, referencePath } from "./reference.ts";

const consolePath = "/console";

/** `GET /`. */
export function documentRoutes(): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/",
      operationId: "getDoors",
      tag: "Documents",
      summary: "Where console and reference are",
      answers: { 200: { body: doorsSchema, description: "Their paths; for browsers a page with links" } },
      handle: ({ http }) =>
        http.req.header("accept")?.includes("text/html")
          ? htmlPage(http, doorsPage())
          : http.json({ console: consolePath, openapi: openApiPath, reference: referencePath }),
    }),
  ];
}

function doorsPage(): Html {
  return page({
    content: html`<ul>
<li><a href="${consolePath}">Console</a>: the latest requests, chains and balances</li>
<li><a href="${referencePath}">Reference</a>: every operation of the API</li>
</ul>`,
    header: html`<header><h1>Waybill emulator</h1></header>`,
    title: "Waybill emulator",
  });
}

const doorsSchema = z.strictObject({ console: z.string(), openapi: z.string(), reference: z.string() });

const requestCount = 50;

/** `GET /console`: a page of chains and latest requests. `?refresh=off` stops its reload. */
export function consoleRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: consolePath,
      operationId: "getConsole",
      tag: "Documents",
      summary: "Chains and the latest requests, for people",
      query: z.object({ refresh: z.string().optional() }),
      notes: { refresh: "`off` keeps the page as it is." },
      answers: { 200: { description: "A page", mediaType: "text/html" } },
      handle: async ({ http, query: { refresh } }) => {
        const latest = await context.store
          .selectFrom("requests")
          .select("id")
          .orderBy("created_at", "desc")
          .orderBy("id")
          .limit(requestCount)
          .execute();
        const requests = await loadRequestParts(
          context,
          latest.map(({ id }) => id),
        );
        const chains = [...placesOf(context).values()];
        const page = consolePage({ chains, isRefreshed: refresh !== "off", now: context.now(), requests });
        return htmlPage(http, page);
      },
    }),
  ];
}
