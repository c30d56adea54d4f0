import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import * as z from "zod";
import { placesOf } from "../../../context/places.ts";
import { findCurrency, imagePath } from "../../../currencies/currencyId.ts";
import { assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";

/** Images of chains and currencies: an initial on a coloured disc. */
export function imagesRoutes({ context }: Deps): readonly Route[] {
  const places = placesOf(context);
  const nameOf = (kind: string, id: string) =>
    kind === "chains"
      ? places.get(Number(id))?.definition.displayName
      : [...places.values()].map((place) => findCurrency(place, id)).find((found) => found)?.symbol;
  return [
    defineRoute({
      endpoint: `GET ${imagePath}/:kind/:id`,
      operationId: "getImage",
      tag: "Documents",
      summary: "The picture of a chain or a currency",
      params: z.object({ id: z.string(), kind: z.enum(["chains", "currencies"]) }),
      notes: { id: "Id of the chain or the currency.", kind: "What `id` names." },
      answers: {
        200: { description: "A picture", mediaType: "image/svg+xml" },
        404: notFound("There is no such picture"),
      },
      handle: ({ http, params: { id, kind } }) =>
        imageOf(http, assertFound(nameOf(kind, id), "There is no such picture")),
    }),
  ];
}

/** The template escapes every value. */
async function imageOf(http: HonoContext, name: string): Promise<Response> {
  const image =
    await html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="img" aria-label="${name}">
<circle cx="16" cy="16" r="16" fill="hsl(${hueOf(name)}, 55%, 35%)"/>
<text x="16" y="16" dy="0.36em" fill="#fff" font-family="sans-serif" font-size="16" text-anchor="middle">${name.slice(0, 1)}</text>
</svg>`;
  http.header("cache-control", "public, max-age=3600");
  http.header("content-security-policy", "default-src 'none'");
  http.header("x-content-type-options", "nosniff");
  return http.body(image.toString(), 200, { "content-type": "image/svg+xml" });
}

/** Hue in degrees, far apart for names that differ in one letter. */
function hueOf(name: string): number {
  return [...name].reduce((hue, letter) => (hue * 47 + letter.charCodeAt(0)) % 360, 0);
}
