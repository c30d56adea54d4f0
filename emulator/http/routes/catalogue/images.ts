import type { Context as HonoContext } from "hono";
import { html } from "hono/html";
import * as z from "zod";
import { placesOf } from "../../../context/places.ts";
import { chainImagePath, currencyImagePath, findCurrency } from "../../../currencies/currencyId.ts";
import {
  assertFound,
  type Deps,
  defineRoute,
  NotFoundError,
  notFound,
  type Route,
} from "../../route/Route.ts";

const missing = "There is no such picture";
const picture = { description: "A picture", mediaType: "image/svg+xml" } as const;

/** Images of chains and currencies: an initial on a coloured disc. */
export function imagesRoutes({ context }: Deps): readonly Route[] {
  const chains = placesOf(context);
  const common = { method: "get", tag: "Documents" } as const;
  return [
    defineRoute({
      ...common,
      path: `${chainImagePath}/:chainId`,
      operationId: "getChainImage",
      summary: "The picture of a chain",
      params: z.object({ chainId: z.string() }),
      answers: { 200: picture, 404: notFound("There is no such chain", "NOT_FOUND") },
      handle: ({ http, params: { chainId } }) => {
        const chain = assertFound(chains.get(Number(chainId)), missing);
        return imageOf(http, chain.definition.displayName);
      },
    }),
    defineRoute({
      ...common,
      path: `${currencyImagePath}/:currencyId`,
      operationId: "getCurrencyImage",
      summary: "The picture of a currency",
      params: z.object({ currencyId: z.string() }),
      answers: { 200: picture, 404: notFound("There is no such currency", "NOT_FOUND") },
      handle: ({ http, params: { currencyId } }) => {
        for (const chain of chains.values()) {
          const currency = findCurrency(chain, currencyId);
          if (currency !== undefined) return imageOf(http, currency.symbol);
        }
        throw new NotFoundError(missing);
      },
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
