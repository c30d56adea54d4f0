import * as z from "zod";
import { placesOf } from "../../../context/places.ts";
import { consolePage, consolePath } from "../../pages/consolePage.ts";
import { consoleStyle, htmlPage } from "../../pages/htmlPage.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

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
        const requests = await context.store
          .selectFrom("requests")
          .selectAll()
          .orderBy("created_at", "desc")
          .orderBy("id")
          .limit(requestCount)
          .execute();
        const chains = [...placesOf(context).values()];
        const page = consolePage({ chains, isRefreshed: refresh !== "off", now: context.now(), requests });
        return htmlPage(http, page, consoleStyle);
      },
    }),
  ];
}
