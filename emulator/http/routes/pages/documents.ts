import { createRequire } from "node:module";
import * as z from "zod";
import { describeApi } from "../../openapi/describeApi.ts";
import { htmlPage } from "../../pages/htmlPage.ts";
import { referencePage, referenceStyle } from "../../reference/referencePage.ts";
import { defineRoute, type Route, type RouteDocument } from "../../route/Route.ts";

/** Where the reference page is, and the document it is made of. */
export const referencePath = "/docs";
export const openApiPath = "/openapi.json";

const { version } = createRequire(import.meta.url)("waybill/package.json") as { version: string };

/**
 * `GET /openapi.json` and `GET /docs`.
 *
 * @param all Every route there is, these two included. Asked for once, when the document is first wanted.
 */
export function documentRoutes(all: () => readonly RouteDocument[]): readonly Route[] {
  const document = once(() => describeApi(all(), version));
  const page = once(() => referencePage(document()));
  const common = { method: "get", tag: "Documents" } as const;
  return [
    defineRoute({
      ...common,
      path: openApiPath,
      operationId: "getDocument",
      summary: "This document",
      answers: { 200: { body: openApiSchema, description: "OpenAPI 3.1" } },
      handle: ({ http }) => http.json(document()),
    }),
    defineRoute({
      ...common,
      path: referencePath,
      operationId: "getReference",
      summary: "This document as a page for people",
      answers: { 200: { description: "A page", mediaType: "text/html" } },
      handle: ({ http }) => htmlPage(http, page(), referenceStyle),
    }),
  ];
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** As much of an OpenAPI document as a reader must be able to rely on. */
const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});
