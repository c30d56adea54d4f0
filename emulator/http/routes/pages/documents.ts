import { createRequire } from "node:module";
import * as z from "zod";
import { describeApi } from "../../openapi/describeApi.ts";
import { htmlPage } from "../../pages/htmlPage.ts";
import { referencePage, referenceStyle } from "../../reference/referencePage.ts";
import { defineRoute, type Route, type RouteDocument } from "../../route/Route.ts";

/** Paths of the reference page and of the OpenAPI document. */
const referencePath = "/docs";
const openApiPath = "/openapi.json";

const { version } = createRequire(import.meta.url)("@waybill/emulator/package.json") as { version: string };

/** `GET /openapi.json` and `GET /docs`. */
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

/** The part of the OpenAPI document that is itself documented. */
const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});
